import { Skeleton, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { Topic } from '../../api/live-stream';
import type { Query } from '../../api/manage';
import { useRecords } from '../../api/use-records';
import { ProblemAlert } from '../problem-alert';
import type { Column } from './columns';
import { shownColumns } from './columns';
import { FilterBar } from './filter-bar';
import { filtersIn, type Filter } from './filters';
import { ListFoot, NewRows } from './list-foot';
import { ListTools } from './list-tools';
import { NothingFound } from './nothing-found';
import { RecordCards } from './record-cards';
import { RecordTable } from './record-table';
import { useColumnChoice } from './use-column-choice';
import { useListKeys } from './use-list-keys';

export interface RecordListProps<Row> {
  /** The list's title. In lower case it also names its files, views and columns: "Payments". */
  readonly title: string;
  /** Path in the manage API. */
  readonly path: string;
  readonly columns: readonly Column<Row>[];
  readonly idOf: (row: Row) => string;
  /** Target of Enter and of a click. Absent when rows have no link. */
  readonly linkOf?: (row: Row) => string | undefined;
  readonly filters?: readonly Filter[];
  /** Parameters in addition to the filters. A `limit` also applies to each page of an export, which otherwise has 200 rows. */
  readonly query?: Query;
  /** Restricts the list to the page's time range. */
  readonly ranged?: boolean;
  readonly live?: Topic;
  /** Shown when the list is empty without filters. */
  readonly empty: ReactNode;
  /** Buttons of a row. */
  readonly actionsOf?: (row: Row) => ReactNode;
  /** More buttons beside the filters. */
  readonly tools?: ReactNode;
}

/**
 * A list of records with filters in the URL, paging, keyboard shortcuts, CSV export, column choice, saved views, and cards on narrow
 * screens.
 */
export function RecordList<Row>(props: RecordListProps<Row>) {
  const { title, path, columns, idOf, linkOf, filters = [], query = {}, ranged = false, live, empty, actionsOf, tools } = props;
  const [search] = useSearchParams();
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const choice = useColumnChoice(title);
  const filtered = { ...query, ...filtersIn(search, filters) };
  const records = useRecords<Row>(path, { query: filtered, ranged, idOf, ...(live && { live }) });
  const active = useListKeys(records.rows, linkOf);
  const shown = shownColumns(columns, choice.chosen);
  const rows = { rows: records.rows, columns: shown, idOf, linkOf, actionsOf, active, title };
  const isFiltered = Object.keys(filtersIn(search, filters)).length > 0;
  return (
    <Stack gap="sm">
      <FilterBar filters={filters}>
        {tools}
        <ListTools title={title} path={path} columns={columns} choice={choice} query={filtered} ranged={ranged} filters={filters} />
      </FilterBar>
      <NewRows count={records.fresh} onShow={records.reload} />
      {records.error && <ProblemAlert error={records.error} onRetry={records.reload} />}
      {records.isLoading && <ListSkeleton />}
      {!records.isLoading && !records.error && records.rows.length === 0 && (
        <NothingFound filters={filters} isFiltered={isFiltered} ranged={ranged} empty={empty} />
      )}
      {records.rows.length > 0 && (isNarrow ? <RecordCards {...rows} /> : <RecordTable {...rows} />)}
      <ListFoot records={records} />
    </Stack>
  );
}

function ListSkeleton() {
  return (
    <Stack gap={6} aria-busy="true" aria-label="Loading" role="status">
      {Array.from({ length: 8 }, (_, i) => (
        <Skeleton key={i} height={36} radius="sm" />
      ))}
    </Stack>
  );
}
