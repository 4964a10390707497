import { shadowRules, type ShadowBook, type ShadowCall, type ShadowCount, type ShadowKey, type ShadowVerdict } from './signature-shadow';

/** How many calls fared how. */
export type VerdictCounts = Readonly<Record<ShadowVerdict, number>>;

/** How calls fared under a shadow. */
export interface ShadowReport {
  /** Since it is there. */
  readonly counts: VerdictCounts;
  /** When a call was tried last; milliseconds since the epoch; absent: none was. */
  readonly lastAt?: number | undefined;
  /** Why calls were refused by it alone, the most frequent first. */
  readonly reasons: readonly ShadowCount[];
  /** Of the latest calls: how many there are, and how they fared. */
  readonly ofLast: VerdictCounts & { readonly calls: number };
  /** Those of them that fared in one way with the shadow and in another without, the latest first. */
  readonly differing: readonly ShadowCall[];
}

/** `last`: how many of the latest calls are listed, `shadowRules.callsKept` at most. */
export async function shadowReport(book: ShadowBook, key: ShadowKey, last: number = shadowRules.callsKept): Promise<ShadowReport> {
  const [counted, kept] = await Promise.all([book.counts(key), book.latest(key)]);
  const calls = kept.slice(0, last);
  const latest = counted.map(({ lastAt }) => lastAt);
  return {
    counts: sumOf(counted),
    lastAt: latest.length > 0 ? Math.max(...latest) : undefined,
    reasons: counted.filter(({ verdict }) => verdict === 'refused'),
    ofLast: { calls: calls.length, ...sumOf(calls.map((call) => ({ ...call, count: 1 }))) },
    differing: calls.filter(({ verdict }) => verdict !== 'passed'),
  };
}

function sumOf(counted: readonly { readonly verdict: ShadowVerdict; readonly count: number }[]): VerdictCounts {
  const sums: Record<ShadowVerdict, number> = { passed: 0, refused: 0, gained: 0 };
  for (const { verdict, count } of counted) sums[verdict] += count;
  return sums;
}
