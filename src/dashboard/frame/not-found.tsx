import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../parts/empty-state';

/** There is no such page, or not for this role. */
export function NotFound() {
  return (
    <EmptyState
      icon={IconMapOff}
      title="There is no such page"
      deeds={
        <Button component={Link} to="/">
          Go to the overview
        </Button>
      }
    >
      The address may be mistyped, or the page may be for another role.
    </EmptyState>
  );
}
