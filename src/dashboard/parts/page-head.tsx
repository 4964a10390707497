import { Anchor, Group, Text, Title } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useRangeSearch } from './range/use-range';

interface PageHeadProps {
  readonly title: ReactNode;
  /** A sentence below the title. */
  readonly lead?: ReactNode;
  /** Buttons on the right. */
  readonly actions?: ReactNode;
  /** Path and name of the parent page. */
  readonly back?: { readonly to: string; readonly title: string };
}

/** The header that every screen has. */
export function PageHead({ title, lead, actions, back }: PageHeadProps) {
  const range = useRangeSearch();
  return (
    <Group justify="space-between" align="flex-end" gap="md" mb="lg">
      <div style={{ minWidth: 0 }}>
        {back && (
          <Anchor
            component={Link}
            to={`${back.to}${range}`}
            size="sm"
            c="dimmed"
            mb={4}
            display="inline-flex"
            style={{ alignItems: 'center' }}
          >
            <IconChevronLeft size={14} aria-hidden /> {back.title}
          </Anchor>
        )}
        <Title order={1} fz={{ base: 22, sm: 26 }} lh={1.25} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {lead !== undefined && (
          <Text c="dimmed" size="sm" mt={4} component="div">
            {lead}
          </Text>
        )}
      </div>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
