import { Button, Paper } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { EmptyState } from '../empty-state';
import { useRange } from '../range/use-range';
import { withoutFilters, type Filter } from './filters';

interface NothingFoundProps {
  readonly filters: readonly Filter[];
  readonly isFiltered: boolean;
  readonly ranged: boolean;
  readonly empty: ReactNode;
}

/** Why a list is empty, with suggestions: remove the filters, extend the time range, or the screen's own. */
export function NothingFound({ filters, isFiltered, ranged, empty }: NothingFoundProps) {
  const [search, setSearch] = useSearchParams();
  const { range, set } = useRange();
  const canGrow = ranged && !('name' in range && range.name === '31d');
  const grow = canGrow && (
    <Button variant="default" onClick={() => set({ name: '31d' })}>
      Look at the last 31 days
    </Button>
  );
  if (!isFiltered && !canGrow) return <Paper withBorder>{empty}</Paper>;
  if (!isFiltered) {
    return (
      <Paper withBorder>
        {empty}
        <div style={{ display: 'flex', justifyContent: 'center', paddingBottom: 32 }}>{grow}</div>
      </Paper>
    );
  }
  const clear = (
    <Button onClick={() => setSearch(withoutFilters(search, filters))} variant="default">
      Clear the filters
    </Button>
  );
  return (
    <Paper withBorder>
      <EmptyState
        icon={IconFilterOff}
        title={ranged ? 'Nothing in this range' : 'Nothing found'}
        actions={
          <>
            {clear}
            {grow}
          </>
        }
      >
        Nothing matches these filters{ranged ? ' in this time range' : ''}.
      </EmptyState>
    </Paper>
  );
}
