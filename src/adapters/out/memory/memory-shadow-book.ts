import { latestOf, ShadowTally, type TalliedShadow } from '../../../domain/credentials/shadow-tally';
import type { ShadowBook, ShadowCall, ShadowCount, ShadowKey, ShadowLog } from '../../../domain/credentials/signature-shadow';

/** How calls fare under shadows, in memory, for as long as the process runs. */
export class MemoryShadowBook implements ShadowLog, ShadowBook {
  private readonly tally = new ShadowTally();

  tried(key: ShadowKey, call: ShadowCall): void {
    this.tally.tried(key, call);
  }

  async counts(key: ShadowKey): Promise<readonly ShadowCount[]> {
    return [...(this.of(key)?.counts ?? [])].sort((a, b) => b.count - a.count);
  }

  async latest(key: ShadowKey): Promise<readonly ShadowCall[]> {
    return latestOf(this.of(key)?.calls ?? []).reverse();
  }

  private of({ partner: { kind, id }, shadowId }: ShadowKey): TalliedShadow | undefined {
    const all = this.tally.drain();
    this.tally.restore(all);
    return all.find(({ key }) => key.partner.kind === kind && key.partner.id === id && key.shadowId === shadowId);
  }
}
