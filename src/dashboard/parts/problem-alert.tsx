import { Alert, Button, Group, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { messageOf, Problem, requestIdOf } from '../api/problem';
import { CopyButton } from './copy-button';

/** On narrow screens text wraps instead of being cut. */
const inNarrow = { body: { minWidth: 0 }, label: { overflow: 'visible', whiteSpace: 'normal' } } as const;

/** An error with each broken rule, the request id for support and, where it helps, a retry button. */
export function ProblemAlert({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const requestId = requestIdOf(error);
  const errors = error instanceof Problem ? error.errors : [];
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} title={messageOf(error)} role="alert" styles={inNarrow}>
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
            Request{' '}
            <Text span ff="monospace" fz="0.92em" style={{ overflowWrap: 'anywhere' }}>
              {requestId}
            </Text>
            <CopyButton text={requestId} what="request id" />
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
