import { latestOf, DryRunTally, type TalliedDryRun } from '../../../../domain/credentials/dry-run/dry-run-tally';
import type { DryRunReader, DryRunCall, DryRunCount, DryRunKey, DryRunLog } from '../../../../domain/credentials/dry-run/signature-dry-run';

/** Results of calls under dry runs, in memory, for as long as the process runs. */
export class MemoryDryRunRepository implements DryRunLog, DryRunReader {
  private readonly tally = new DryRunTally();

  tried(key: DryRunKey, call: DryRunCall): void {
    this.tally.tried(key, call);
  }

  async counts(key: DryRunKey): Promise<readonly DryRunCount[]> {
    return [...(this.of(key)?.counts ?? [])].sort((a, b) => b.count - a.count);
  }

  async latest(key: DryRunKey): Promise<readonly DryRunCall[]> {
    return latestOf(this.of(key)?.calls ?? []).reverse();
  }

  private of({ partner: { kind, id }, dryRunId }: DryRunKey): TalliedDryRun | undefined {
    const all = this.tally.drain();
    this.tally.restore(all);
    return all.find(({ key }) => key.partner.kind === kind && key.partner.id === id && key.dryRunId === dryRunId);
  }
}
