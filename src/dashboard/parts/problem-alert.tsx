import { Alert, Button, Group, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { messageOf, Problem, requestIdOf } from '../api/problem';
import { ShortId } from './short-id';

/** What went wrong, each broken rule, the request id to ask with, and where it helps a way to try again. */
export function ProblemAlert({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const requestId = requestIdOf(error);
  const errors = error instanceof Problem ? error.errors : [];
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} title={messageOf(error)} role="alert">
      {errors.length > 0 && (
        <List size="sm" mb="xs">
          {errors.map(({ path, rule }) => (
            <List.Item key={`${path} ${rule}`}>
              <b>{path}</b>: {rule}
            </List.Item>
          ))}
        </List>
      )}
      <Group gap="md">
        {requestId !== undefined && (
          <Text size="sm" component="div">
            Request <ShortId id={requestId} what="request id" ends={20} />
          </Text>
        )}
        {onRetry && (
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
