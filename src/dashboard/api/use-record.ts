import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useRange } from '../parts/range/use-range';
import { manage, type Query } from './manage';
import type { Topic } from './live-stream';
import { useLive } from './use-live';

export interface RecordOptions<Answer = unknown> {
  readonly query?: Query;
  /** Adds `from` and `to` of the page's time range. */
  readonly ranged?: boolean;
  /** Reads again after a change of this topic. */
  readonly live?: Topic;
  /** Polling interval in milliseconds, or a function of the last answer that returns it. Absent or `undefined` disables polling. */
  readonly everyMs?: number | ((answer: Answer | undefined) => number | undefined);
  readonly enabled?: boolean;
}

/** Reads one record from the manage API. The path begins with `/`; errors are Problems. */
export function useRecord<Answer>(path: string, options: RecordOptions<Answer> = {}): UseQueryResult<Answer> {
  const { query = {}, ranged = false, live, everyMs, enabled = true } = options;
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
