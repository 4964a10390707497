import { Group, Paper, Text, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

interface PanelProps {
  readonly title?: ReactNode;
  readonly lead?: ReactNode;
  /** Right of the title. */
  readonly actions?: ReactNode;
  /** Without padding, as for a table. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A part of a screen with its own heading. */
export function Panel({ title, lead, actions, flush = false, children }: PanelProps) {
  const id = useId();
  return (
    <Paper withBorder component="section" radius="md" p={flush ? 0 : 'md'} aria-labelledby={title === undefined ? undefined : id} miw={0}>
      {(title !== undefined || actions !== undefined) && (
        <Group justify="space-between" gap="xs" mb={flush ? 0 : 'sm'} p={flush ? 'md' : 0} pb={flush ? 'sm' : 0} align="flex-start">
          <div style={{ flex: '1 1 8rem', minWidth: 0 }}>
            {title !== undefined && (
              <Title order={2} id={id} fz="md" fw={600}>
                {title}
              </Title>
            )}
            {lead !== undefined && (
              <Text size="sm" c="dimmed" component="div">
                {lead}
              </Text>
            )}
          </div>
          {actions}
        </Group>
      )}
      {children}
    </Paper>
  );
}
