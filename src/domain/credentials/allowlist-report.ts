import { type CallerCount, otherAddresses } from './caller-tally';
import type { IpAddressMatcher } from './ports';

/** An entry of an allowlist, and the number of calls that match it. */
export interface EntryReport {
  readonly entry: string;
  readonly hits: number;
  /** When the last call matched, in milliseconds since the epoch. Absent when none did. */
  readonly lastAt?: number;
}

/** The effect that a list would have had on the counted calls. */
export interface AllowlistTrial {
  readonly calls: number;
  readonly refused: number;
  /** The addresses that would have been refused, the latest first. */
  readonly callers: readonly CallerCount[];
}

const callsOf = ({ admitted, refused }: CallerCount): number => admitted + refused;

/** Counts the calls that match each entry. An address that matches several entries counts for each. */
export function entryReports(
  entries: readonly string[],
  counts: readonly CallerCount[],
  matcher: IpAddressMatcher,
): readonly EntryReport[] {
  return entries.map((entry) => {
    const held = counts.filter(({ address }) => address !== otherAddresses && matcher.contains([entry], address));
    const hits = held.reduce((sum, count) => sum + callsOf(count), 0);
    const lastAt = Math.max(0, ...held.map((count) => count.lastAt));
    return { entry, hits, ...(lastAt > 0 && { lastAt }) };
  });
}

/** Tries a list on the counted calls; addresses that were not counted separately count as refused, because they are unknown. */
export function tryAllowlist(
  lists: readonly (readonly string[])[],
  counts: readonly CallerCount[],
  matcher: IpAddressMatcher,
): AllowlistTrial {
  const isHeld = ({ address }: CallerCount): boolean => address !== otherAddresses && lists.some((list) => matcher.contains(list, address));
  const callers = counts.filter((count) => !isHeld(count));
  const sum = (of: readonly CallerCount[]): number => of.reduce((total, count) => total + callsOf(count), 0);
  return { calls: sum(counts), refused: sum(callers), callers };
}
