import { dryRunRules, type DryRunReader, type DryRunCall, type DryRunCount, type DryRunKey, type DryRunVerdict } from './signature-dry-run';

/** Number of calls by verdict. */
export type VerdictCounts = Readonly<Record<DryRunVerdict, number>>;

/** The results of a dry run. */
export interface DryRunReport {
  /** Counts since the dry run began. */
  readonly counts: VerdictCounts;
  /** When a call was last checked, in milliseconds since the epoch. Absent when none was. */
  readonly lastAt?: number | undefined;
  /** Reasons for which only the dry run refused calls, the most frequent first. */
  readonly reasons: readonly DryRunCount[];
  /** Number of the latest calls, in total and by verdict. */
  readonly ofLast: VerdictCounts & { readonly calls: number };
  /** Latest calls with different results with and without the dry run, the latest first. */
  readonly differing: readonly DryRunCall[];
}

/** `last` is the number of latest calls to list, at most `dryRunRules.callsKept`. */
export async function dryRunReport(reader: DryRunReader, key: DryRunKey, last: number = dryRunRules.callsKept): Promise<DryRunReport> {
  const [counted, kept] = await Promise.all([reader.counts(key), reader.latest(key)]);
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

function sumOf(counted: readonly { readonly verdict: DryRunVerdict; readonly count: number }[]): VerdictCounts {
  const sums: Record<DryRunVerdict, number> = { passed: 0, refused: 0, gained: 0 };
  for (const { verdict, count } of counted) sums[verdict] += count;
  return sums;
}
