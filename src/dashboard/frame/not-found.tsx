import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../parts/empty-state';

/** The page does not exist, or not for this role. */
export function NotFound() {
  return (
    <EmptyState
      icon={IconMapOff}
      title="There is no such page"
      actions={
        <Button component={Link} to="/">
          Go to the overview
        </Button>
      }
    >
      The address may be mistyped, or the page may be for another role.
    </EmptyState>
  );
}
