import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRange } from '../parts/range/use-range';
import { manage, type Query } from './manage';
import type { Topic } from './live-stream';
import { useLive } from './use-live';

/** A page of a list. */
export interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

interface RecordsOptions<Row> {
  readonly query?: Query;
  readonly ranged?: boolean;
  readonly live?: Topic;
  readonly idOf: (row: Row) => string;
  readonly pageSize?: number;
}

/** The rows read so far, and functions to read more. */
export interface Records<Row> {
  readonly rows: readonly Row[];
  readonly isLoading: boolean;
  readonly isFetching: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly reload: () => void;
  /** Number of newer rows, which `reload` shows. */
  readonly fresh: number;
}

/** Reads a list from the manage API, page by page. New records do not move the list: they are counted in `fresh`. */
export function useRecords<Row>(path: string, options: RecordsOptions<Row>): Records<Row> {
  const { query = {}, ranged = false, live, idOf, pageSize = 50 } = options;
  const range = useRange();
  const queries = useQueryClient();
  const [fresh, setFresh] = useState(0);
  const key = [path, query, ...(ranged ? [range.key] : [])];
  const read = (cursor: string | undefined, signal?: AbortSignal): Promise<Page<Row>> => {
    const all = { ...query, ...(ranged && range.query()), limit: pageSize, cursor };
    return manage<Page<Row>>('GET', path, { query: all, signal });
  };
  const list = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  const reload = (): void => {
    setFresh(0);
    void queries.resetQueries({ queryKey: key });
  };
  useLive(live, async () => {
    const known = new Set(rows.map(idOf));
    const { data } = await read(undefined);
    setFresh(data.filter((row) => !known.has(idOf(row))).length);
  });
  return {
    ...{ rows, fresh, reload, error: list.error, hasMore: list.hasNextPage },
    isLoading: list.isPending,
    isFetching: list.isFetching,
    loadMore: () => void list.fetchNextPage(),
  };
}
