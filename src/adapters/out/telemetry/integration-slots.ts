/** The counters of one pair and their labels. */
export interface IntegrationSlot<Counted> {
  readonly clientId: string;
  readonly appId: string;
  readonly counted: Counted;
  /** When it was last counted, in milliseconds since the epoch. */
  usedAt: number;
}

/** The ids of a pair in a call. */
export interface NamedPair {
  readonly clientId: string;
  readonly appId: string;
  /** True when the pair is known to exist, so that invented ids never get a slot. */
  readonly isKnown: boolean;
  readonly at: number;
}

/** The idle time in milliseconds after which a pair gives its slot to another one. */
const idleMs = 3_600_000;
/** Milliseconds between two sweeps for idle slots, so that a full table is not scanned for every call. */
const sweepEveryMs = 60_000;

/**
 * A limited number of slots for pairs: each known pair takes one, first come, first served, and keeps it while it is in use. Pairs without
 * a slot are counted together as `(other)`, unknown ones as `(unknown)`; no id contains parentheses.
 */
export class IntegrationSlots<Counted> {
  private readonly byClient = new Map<string, Map<string, IntegrationSlot<Counted>>>();
  private taken = 0;
  private sweptAt = -Infinity;
  private readonly other: IntegrationSlot<Counted>;
  private readonly unknown: IntegrationSlot<Counted>;

  constructor(
    private readonly maxSlots: number,
    private readonly make: () => Counted,
  ) {
    this.other = this.newSlot('(other)', '(other)', 0);
    this.unknown = this.newSlot('(unknown)', '(unknown)', 0);
  }

  of({ clientId, appId, isKnown, at }: NamedPair): Counted {
    const slot = this.byClient.get(clientId)?.get(appId) ?? this.slotFor({ clientId, appId, isKnown, at });
    slot.usedAt = at;
    return slot.counted;
  }

  /** The slots in use, and the two common ones once they have been used. */
  *slots(): Generator<IntegrationSlot<Counted>> {
    for (const apps of this.byClient.values()) yield* apps.values();
    for (const common of [this.other, this.unknown]) if (common.usedAt > 0) yield common;
  }

  private slotFor({ clientId, appId, isKnown, at }: NamedPair): IntegrationSlot<Counted> {
    if (!isKnown) return this.unknown;
    if (this.taken >= this.maxSlots && !this.freeIdle(at)) return this.other;
    const slot = this.newSlot(clientId, appId, at);
    let apps = this.byClient.get(clientId);
    if (!apps) this.byClient.set(clientId, (apps = new Map<string, IntegrationSlot<Counted>>()));
    apps.set(appId, slot);
    this.taken++;
    return slot;
  }

  private freeIdle(now: number): boolean {
    if (now - this.sweptAt < sweepEveryMs) return false;
    this.sweptAt = now;
    for (const [clientId, apps] of this.byClient) {
      for (const [appId, { usedAt }] of apps) {
        if (now - usedAt < idleMs) continue;
        apps.delete(appId);
        if (apps.size === 0) this.byClient.delete(clientId);
        this.taken--;
      }
    }
    return this.taken < this.maxSlots;
  }

  private newSlot(clientId: string, appId: string, usedAt: number): IntegrationSlot<Counted> {
    return { clientId, appId, counted: this.make(), usedAt };
  }
}
