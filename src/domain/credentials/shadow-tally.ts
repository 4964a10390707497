import { shadowRules, type ShadowCall, type ShadowCount, type ShadowKey } from './signature-shadow';

/** Calls tried under one shadow since the last time. */
export interface TalliedShadow {
  readonly key: ShadowKey;
  readonly counts: readonly ShadowCount[];
  /** The latest, oldest first. */
  readonly calls: readonly ShadowCall[];
}

interface Tallied {
  readonly key: ShadowKey;
  readonly counts: Map<string, ShadowCount>;
  calls: ShadowCall[];
}

/** Shadows that are counted at once. */
const shadowsAtMost = 1000;

/** Counts how calls fare, in bounded memory: every one in the counts, of each shadow the latest one by one. */
export class ShadowTally {
  private shadows = new Map<string, Tallied>();

  get isEmpty(): boolean {
    return this.shadows.size === 0;
  }

  tried(key: ShadowKey, call: ShadowCall): void {
    const { verdict, errorCode, cause, at } = call;
    this.add(key, { counts: [{ verdict, errorCode, cause, count: 1, lastAt: at }], calls: [call] });
  }

  /** Counts since the last time, by shadow, in the order in which every writer takes them. */
  drain(): readonly TalliedShadow[] {
    const drained = [...this.shadows.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
    this.shadows = new Map();
    return drained.map(([, { key, counts, calls }]) => ({ key, counts: [...counts.values()], calls }));
  }

  /** Takes back what could not be written. */
  restore(tallied: readonly TalliedShadow[]): void {
    for (const { key, ...rest } of tallied) this.add(key, rest);
  }

  private add(key: ShadowKey, { counts, calls }: Omit<TalliedShadow, 'key'>): void {
    const name = `${key.partner.kind}|${key.partner.id}|${key.shadowId}`;
    let known = this.shadows.get(name);
    if (!known) {
      if (this.shadows.size >= shadowsAtMost) return;
      this.shadows.set(name, (known = { key, counts: new Map(), calls: [] }));
    }
    for (const one of counts) {
      const alike = JSON.stringify([one.verdict, one.errorCode, one.cause]);
      const before = known.counts.get(alike);
      const [count, lastAt] = [one.count + (before?.count ?? 0), Math.max(one.lastAt, before?.lastAt ?? 0)];
      known.counts.set(alike, { ...one, count, lastAt });
    }
    known.calls.push(...calls);
    // Cut now and then, so that not every call moves them all.
    if (known.calls.length >= 2 * shadowRules.callsKept) known.calls = latestOf(known.calls);
  }
}

/** Of calls in any order the latest that are kept, oldest first. */
export const latestOf = (calls: readonly ShadowCall[]): ShadowCall[] =>
  [...calls].sort((a, b) => a.at - b.at).slice(-shadowRules.callsKept);
