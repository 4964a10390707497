import { type CallerCount, otherAddresses } from './caller-tally';
import type { AddressBook } from './ports';

/** An entry of an allowlist, and the calls that it let pass or would have. */
export interface EntryReport {
  readonly entry: string;
  readonly hits: number;
  /** Milliseconds since the epoch; absent: none. */
  readonly lastAt?: number;
}

/** What a list would have done to the calls that were counted. */
export interface AllowlistTrial {
  readonly calls: number;
  readonly refused: number;
  /** The addresses that would have been refused, the latest first. */
  readonly callers: readonly CallerCount[];
}

const callsOf = ({ admitted, refused }: CallerCount): number => admitted + refused;

/** How often each entry was called from. An address that several entries hold counts for each. */
export function entryReports(entries: readonly string[], counts: readonly CallerCount[], book: AddressBook): readonly EntryReport[] {
  return entries.map((entry) => {
    const held = counts.filter(({ address }) => address !== otherAddresses && book.contains([entry], address));
    const hits = held.reduce((sum, count) => sum + callsOf(count), 0);
    const lastAt = Math.max(0, ...held.map((count) => count.lastAt));
    return { entry, hits, ...(lastAt > 0 && { lastAt }) };
  });
}

/** What a list would have done; addresses that were not told apart count as refused, as nobody can say that they are in it. */
export function tryAllowlist(lists: readonly (readonly string[])[], counts: readonly CallerCount[], book: AddressBook): AllowlistTrial {
  const isHeld = ({ address }: CallerCount): boolean => address !== otherAddresses && lists.some((list) => book.contains(list, address));
  const callers = counts.filter((count) => !isHeld(count));
  const sum = (of: readonly CallerCount[]): number => of.reduce((total, count) => total + callsOf(count), 0);
  return { calls: sum(counts), refused: sum(callers), callers };
}
