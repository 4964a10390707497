/** How one process of the service is, as it says itself. Times in milliseconds, memory in bytes. */
export interface InstanceFigures {
  /** How late due work ran since the last announcement. */
  readonly loopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Connections to the database: how many there may be, are, are in use, and statements that wait for one. */
  readonly pool: { readonly most: number; readonly open: number; readonly inUse: number; readonly waiting: number };
  /** Calls under way. */
  readonly calls: number;
  /** Calls refused since the start under overload, by priority. */
  readonly shed: { readonly first: number; readonly next: number; readonly last: number };
  readonly memory: number;
  /** Of one core, since the last announcement; 1 is all of it. */
  readonly processor: number;
}

/** What an instance announces. */
export interface InstanceReport {
  readonly id: string;
  readonly version: string;
  /** `serving`: the only process of its machine; `worker`: one of several behind one port. */
  readonly role: 'serving' | 'worker';
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly figures: InstanceFigures;
}

export type InstanceState = 'serving' | 'draining' | 'lost' | 'left';

/** An instance as it was last heard of. */
export interface InstanceRecord extends InstanceReport {
  readonly state: InstanceState;
  /** How long ago it was heard of, in milliseconds by the clock of who keeps this. */
  readonly silentMs: number;
  /** Milliseconds since the epoch. */
  readonly seenAt: number;
  readonly drainAskedAt?: number | undefined;
  readonly leftAt?: number | undefined;
}

export const instanceRules = {
  /** How often an instance announces itself, in milliseconds. */
  everyMs: 5000,
  /** Not heard of for so long, it is taken for lost, in milliseconds. */
  lostAfterMs: 20_000,
  /** A lost or stopped instance is forgotten after so long, in milliseconds. */
  keptMs: 3_600_000,
} as const;

/** The state of an instance, from its announcements. */
export function instanceStateOf({
  silentMs,
  drainAskedAt,
  leftAt,
}: Pick<InstanceRecord, 'silentMs' | 'drainAskedAt' | 'leftAt'>): InstanceState {
  if (leftAt !== undefined) return 'left';
  if (silentMs > instanceRules.lostAfterMs) return 'lost';
  return drainAskedAt === undefined ? 'serving' : 'draining';
}
