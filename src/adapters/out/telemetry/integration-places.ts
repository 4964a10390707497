/** Under which labels the calls of one pair are counted. */
export interface Place<Counted> {
  readonly clientId: string;
  readonly appId: string;
  readonly counted: Counted;
  /** When it was last counted, in milliseconds since the epoch. */
  usedAt: number;
}

/** A pair as a call names it. */
export interface NamedPair {
  readonly clientId: string;
  readonly appId: string;
  /** Something has shown that there is such a pair: made-up ids never get a place of their own. */
  readonly isKnown: boolean;
  readonly at: number;
}

/** Not for so long: a place goes to who needs one. */
const idleMs = 3_600_000;
/** Between two looks for an idle place, in milliseconds: with all of them in use, nobody pays for looking. */
const lookEveryMs = 60_000;

/**
 * Places for pairs; there are few: each pair that is known takes one, first come, and keeps it while it is in use.
 * Those that find none are counted together as `(other)`, those that nobody knows as `(unknown)`; no id has parentheses.
 */
export class IntegrationPlaces<Counted> {
  private readonly byClient = new Map<string, Map<string, Place<Counted>>>();
  private taken = 0;
  private lookedAt = -Infinity;
  private readonly other: Place<Counted>;
  private readonly unknown: Place<Counted>;

  constructor(
    private readonly most: number,
    private readonly make: () => Counted,
  ) {
    this.other = this.placeOf('(other)', '(other)', 0);
    this.unknown = this.placeOf('(unknown)', '(unknown)', 0);
  }

  of({ clientId, appId, isKnown, at }: NamedPair): Counted {
    const place = this.byClient.get(clientId)?.get(appId) ?? this.placeFor({ clientId, appId, isKnown, at });
    place.usedAt = at;
    return place.counted;
  }

  /** Those in use, and the two common ones once they were needed. */
  *places(): Generator<Place<Counted>> {
    for (const apps of this.byClient.values()) yield* apps.values();
    for (const common of [this.other, this.unknown]) if (common.usedAt > 0) yield common;
  }

  private placeFor({ clientId, appId, isKnown, at }: NamedPair): Place<Counted> {
    if (!isKnown) return this.unknown;
    if (this.taken >= this.most && !this.freeIdle(at)) return this.other;
    const place = this.placeOf(clientId, appId, at);
    let apps = this.byClient.get(clientId);
    if (!apps) this.byClient.set(clientId, (apps = new Map<string, Place<Counted>>()));
    apps.set(appId, place);
    this.taken++;
    return place;
  }

  private freeIdle(now: number): boolean {
    if (now - this.lookedAt < lookEveryMs) return false;
    this.lookedAt = now;
    for (const [clientId, apps] of this.byClient) {
      for (const [appId, { usedAt }] of apps) {
        if (now - usedAt < idleMs) continue;
        apps.delete(appId);
        if (apps.size === 0) this.byClient.delete(clientId);
        this.taken--;
      }
    }
    return this.taken < this.most;
  }

  private placeOf(clientId: string, appId: string, usedAt: number): Place<Counted> {
    return { clientId, appId, counted: this.make(), usedAt };
  }
}
