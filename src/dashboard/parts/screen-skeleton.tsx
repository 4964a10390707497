import { Group, Skeleton, Stack } from '@mantine/core';

/** The outline of a screen while it loads. */
export function ScreenSkeleton() {
  return (
    <Stack gap="lg" role="status" aria-busy="true" aria-label="Loading">
      <Skeleton height={32} width={220} />
      <Group grow>
        <Skeleton height={88} />
        <Skeleton height={88} />
        <Skeleton height={88} visibleFrom="sm" />
      </Group>
      <Skeleton height={280} />
    </Stack>
  );
}
