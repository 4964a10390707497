import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useRange } from '../parts/range/use-range';
import { manage, type Query } from './manage';
import type { Topic } from './live-stream';
import { useLive } from './use-live';

export interface RecordAsked<Answer = unknown> {
  readonly query?: Query;
  /** Adds `from` and `to` of the page's time range. */
  readonly ranged?: boolean;
  /** Reads again when something of this topic changed. */
  readonly live?: Topic;
  /** Milliseconds between readings, or what tells them by the last answer; absent or `undefined`: once. */
  readonly everyMs?: number | ((answer: Answer | undefined) => number | undefined);
  readonly enabled?: boolean;
}

/** Reads one thing from the manage API. The path begins with `/`; errors are Problems. */
export function useRecord<Answer>(path: string, asked: RecordAsked<Answer> = {}): UseQueryResult<Answer> {
  const { query = {}, ranged = false, live, everyMs, enabled = true } = asked;
  const range = useRange();
  useLive(live, [path]);
  return useQuery<Answer>({
    queryKey: [path, query, ...(ranged ? [range.key] : [])],
    queryFn: ({ signal }) => manage<Answer>('GET', path, { query: { ...query, ...(ranged && range.query()) }, signal }),
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: ({ state }) => (typeof everyMs === 'function' ? everyMs(state.data) : everyMs) ?? false,
  });
}
