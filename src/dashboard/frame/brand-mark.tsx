import { Group, Text } from '@mantine/core';

/** Logo and name. */
export function BrandMark({ nameFrom = 'base' }: { readonly nameFrom?: 'base' | 'sm' }) {
  return (
    <Group gap={10} wrap="nowrap">
      <svg width="30" height="30" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#0b5b6e" />
        <path d="M7 20h18M16 6v14M16 8l7 9h-7" fill="none" stroke="#fff" strokeLinecap="round" strokeLinejoin="round" strokeWidth="2.4" />
        <path d="M7 25c3 0 3-2 6-2s3 2 6 2 3-2 6-2" fill="none" stroke="#6fe0cf" strokeLinecap="round" strokeWidth="2.2" />
      </svg>
      <Text fw={700} fz={18} lh={1} {...(nameFrom === 'sm' && { visibleFrom: 'sm' })} style={{ letterSpacing: '-0.01em' }}>
        Pierhead
      </Text>
    </Group>
  );
}
