import { Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconInbox, type Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  /** What to do next, in a sentence. */
  readonly children?: ReactNode;
  /** Buttons that do it. */
  readonly deeds?: ReactNode;
  readonly icon?: Icon;
}

/** Where there is nothing yet: what would be here, and what to do next. */
export function EmptyState({ title, children, deeds, icon: Mark = IconInbox }: EmptyStateProps) {
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
      {deeds !== undefined && (
        <Group justify="center" mt="xs">
          {deeds}
        </Group>
      )}
    </Stack>
  );
}
