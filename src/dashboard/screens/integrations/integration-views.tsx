import { Button, Group, Paper, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { CompareDialog } from './compare-dialog';
import { usePairFigures, useReadiness, type Integration, type Partner } from './integration';
import { IntegrationCard } from './integration-card';
import { IntegrationGrid } from './integration-grid';
import { TrafficList } from './traffic-list';

interface IntegrationViewsProps extends PagerProps {
  /** Accepted integrations of the page. */
  readonly integrations: readonly Integration[];
  readonly hostApps: readonly Partner[];
  readonly miniapps: readonly Partner[];
}

/** The page of integrations as a list or grid, or all of them by traffic. Traffic is the default when there is more than one page. */
export function IntegrationViews({ integrations, hostApps, miniapps, ...pages }: IntegrationViewsProps) {
  const [chosen, choose] = useState<string>();
  const view = chosen ?? (isPart(pages) ? 'traffic' : 'list');
  if (integrations.length === 0) return <Pager {...pages} />;
  const Paged = view === 'grid' ? PageGrid : PageList;
  return (
    <>
      <ViewChoice view={view} onChange={choose} />
      {view === 'traffic' && <TrafficList hostApps={hostApps} miniapps={miniapps} />}
      {view !== 'traffic' && <Paged integrations={integrations} hostApps={hostApps} miniapps={miniapps} cursor={pages.cursors.at(-1)} />}
      {view !== 'traffic' && <Pager {...pages} />}
    </>
  );
}

interface PageProps extends Pick<IntegrationViewsProps, 'integrations' | 'hostApps' | 'miniapps'> {
  readonly cursor: string | undefined;
}

function PageList({ cursor, ...rest }: PageProps) {
  const [figures, readiness] = [usePairFigures(cursor).data?.data ?? [], useReadiness(cursor).data?.data ?? []];
  const [compared, setCompared] = useState<Integration>();
  return (
    <Paper withBorder radius="md">
      {rest.integrations.map((row) => (
        <IntegrationCard
          key={row.id}
          integration={row}
          {...rest}
          figures={figures}
          readiness={readiness}
          onCompare={() => setCompared(row)}
        />
      ))}
      <CompareDialog integration={compared} others={rest.integrations} onClose={() => setCompared(undefined)} />
    </Paper>
  );
}

function PageGrid({ cursor, ...rest }: PageProps) {
  return <IntegrationGrid {...rest} figures={usePairFigures(cursor).data?.data ?? []} />;
}

interface PagerProps {
  /** Cursors of the visited pages, current last; the first page has none. */
  readonly cursors: readonly string[];
  readonly next: string | undefined;
  readonly onTurn: (cursors: readonly string[]) => void;
}

const isPart = ({ cursors, next }: PagerProps): boolean => cursors.length > 0 || next !== undefined;

function Pager(pages: PagerProps) {
  const { cursors, next, onTurn } = pages;
  if (!isPart(pages)) return null;
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" role="status">
        Page {cursors.length + 1}, by Client ID
      </Text>
      <Group gap="xs">
        <Button variant="default" size="sm" disabled={cursors.length === 0} onClick={() => onTurn(cursors.slice(0, -1))}>
          Back
        </Button>
        <Button variant="default" size="sm" disabled={next === undefined} onClick={() => next !== undefined && onTurn([...cursors, next])}>
          More
        </Button>
      </Group>
    </Group>
  );
}

function ViewChoice({ view, onChange }: { readonly view: string; readonly onChange: (view: string) => void }) {
  return (
    <Group>
      <SegmentedControl
        size="xs"
        value={view}
        onChange={onChange}
        aria-label="How integrations are shown"
        data={[
          { value: 'list', label: 'List' },
          { value: 'grid', label: 'Grid' },
          { value: 'traffic', label: 'By traffic' },
        ]}
      />
    </Group>
  );
}
