import { Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconInbox, type Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  /** A sentence about the next step. */
  readonly children?: ReactNode;
  /** Buttons for the next step. */
  readonly actions?: ReactNode;
  readonly icon?: Icon;
}

/** Shown when there are no records yet: what will appear here, and the next step. */
export function EmptyState({ title, children, actions, icon: Mark = IconInbox }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <ThemeIcon variant="light" color="gray" size={52} radius="xl" aria-hidden>
        <Mark size={26} stroke={1.5} />
      </ThemeIcon>
      <Title order={3} fz="h4">
        {title}
      </Title>
      {children !== undefined && (
        <Text c="dimmed" size="sm" maw={460} component="div">
          {children}
        </Text>
      )}
      {actions !== undefined && (
        <Group justify="center" mt="xs">
          {actions}
        </Group>
      )}
    </Stack>
  );
}
