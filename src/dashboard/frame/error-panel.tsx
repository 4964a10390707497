import { Container } from '@mantine/core';
import { ProblemAlert } from '../parts/problem-alert';

/** A problem that prevents the whole page. */
export function ErrorPanel({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <Container size="sm" py="xl">
      <ProblemAlert error={error} onRetry={onRetry} />
    </Container>
  );
}
