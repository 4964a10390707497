import { dryRunRules, type DryRunCall, type DryRunCount, type DryRunKey } from './signature-dry-run';

/** Results of one dry run since the last drain. */
export interface TalliedDryRun {
  readonly key: DryRunKey;
  readonly counts: readonly DryRunCount[];
  /** The latest calls, oldest first. */
  readonly calls: readonly DryRunCall[];
}

interface Tallied {
  readonly key: DryRunKey;
  readonly counts: Map<string, DryRunCount>;
  calls: DryRunCall[];
}

/** Maximum number of dry runs that are counted at once. */
const maxDryRuns = 1000;

/** Counts results in bounded memory: all calls are counted, and the latest of each dry run are kept. */
export class DryRunTally {
  private dryRuns = new Map<string, Tallied>();

  get isEmpty(): boolean {
    return this.dryRuns.size === 0;
  }

  tried(key: DryRunKey, call: DryRunCall): void {
    const { verdict, errorCode, cause, at } = call;
    this.add(key, { counts: [{ verdict, errorCode, cause, count: 1, lastAt: at }], calls: [call] });
  }

  /** Returns the results since the last drain, sorted by dry run, so that all writers lock in the same order. */
  drain(): readonly TalliedDryRun[] {
    const drained = [...this.dryRuns.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
    this.dryRuns = new Map();
    return drained.map(([, { key, counts, calls }]) => ({ key, counts: [...counts.values()], calls }));
  }

  /** Takes back results that could not be written. */
  restore(tallied: readonly TalliedDryRun[]): void {
    for (const { key, ...rest } of tallied) this.add(key, rest);
  }

  private add(key: DryRunKey, { counts, calls }: Omit<TalliedDryRun, 'key'>): void {
    const name = `${key.partner.kind}|${key.partner.id}|${key.dryRunId}`;
    let known = this.dryRuns.get(name);
    if (!known) {
      if (this.dryRuns.size >= maxDryRuns) return;
      this.dryRuns.set(name, (known = { key, counts: new Map(), calls: [] }));
    }
    for (const one of counts) {
      const alike = JSON.stringify([one.verdict, one.errorCode, one.cause]);
      const before = known.counts.get(alike);
      const [count, lastAt] = [one.count + (before?.count ?? 0), Math.max(one.lastAt, before?.lastAt ?? 0)];
      known.counts.set(alike, { ...one, count, lastAt });
    }
    known.calls.push(...calls);
    // Trimmed only when twice the limit is reached, so that not every call copies the list.
    if (known.calls.length >= 2 * dryRunRules.callsKept) known.calls = latestOf(known.calls);
  }
}

/** The latest calls that are kept, oldest first. */
export const latestOf = (calls: readonly DryRunCall[]): DryRunCall[] =>
  [...calls].sort((a, b) => a.at - b.at).slice(-dryRunRules.callsKept);
