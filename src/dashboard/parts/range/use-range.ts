import { useSearchParams } from 'react-router';
import { endsOf, rangeIn, withRange, type TimeRange } from './time-range';

export interface Range {
  readonly range: TimeRange;
  /** Identifies the range. For a range that ends now, it does not change with time. */
  readonly key: string;
  /** Current start and end in milliseconds since the epoch. */
  readonly ends: () => { from: number; to: number };
  /** `from` and `to` in the manage API's format. */
  readonly query: () => { from: string; to: string };
  readonly set: (range: TimeRange) => void;
}

/** The time range in the page's URL. */
export function useRange(): Range {
  const [search, setSearch] = useSearchParams();
  const range = rangeIn(search);
  const ends = () => endsOf(range, Date.now());
  return {
    range,
    ends,
    key: 'name' in range ? range.name : `${String(range.from)}-${String(range.to)}`,
    query: () => {
      const { from, to } = ends();
      return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    },
    set: (chosen) => setSearch((before) => withRange(before, chosen)),
  };
}

/** The part of a page's query that other pages keep: its range. Begins with `?`, or is empty. */
export function useRangeSearch(): string {
  const [search] = useSearchParams();
  const text = withRange(new URLSearchParams(), rangeIn(search)).toString();
  return text === '' ? '' : `?${text}`;
}
