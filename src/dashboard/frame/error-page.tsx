import { Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { ProblemAlert } from '../parts/problem-alert';
import { NotFound } from './not-found';

/** Replaces a screen that failed: the error, the request id if there is one, and a link to continue. */
export function ErrorPage() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />;
  return (
    <Container size="sm" py="xl">
      <Stack>
        <Title order={1} fz="h2">
          This screen could not be shown
        </Title>
        <ProblemAlert error={error} />
        <Text size="sm" c="dimmed">
          Nothing was changed. Where it happens again, tell your operator the request id and what you did.
        </Text>
        <Group>
          <Button onClick={() => window.location.reload()}>Load again</Button>
          <Button variant="default" component="a" href="/dashboard/">
            Go to the overview
          </Button>
        </Group>
      </Stack>
    </Container>
  );
}
