/** State of one process of the service, as it reports it. Times in milliseconds, memory in bytes. */
export interface InstanceFigures {
  /** Delay of the event loop since the last announcement. */
  readonly loopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Database connections: maximum, open and in use, and the statements that wait for one. */
  readonly pool: { readonly max: number; readonly open: number; readonly inUse: number; readonly waiting: number };
  /** Calls in flight. */
  readonly calls: number;
  /** Calls refused since the start under overload, by priority. */
  readonly shed: { readonly first: number; readonly next: number; readonly last: number };
  readonly memory: number;
  /** Share of one core used since the last announcement; 1 is all of it. */
  readonly processor: number;
}

/** The announcement of an instance. */
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

/** An instance with its last announcement. */
export interface InstanceRecord extends InstanceReport {
  readonly state: InstanceState;
  /** Time since its last announcement, in milliseconds by the clock of the store. */
  readonly silentMs: number;
  /** Milliseconds since the epoch. */
  readonly seenAt: number;
  readonly drainRequestedAt?: number | undefined;
  readonly leftAt?: number | undefined;
}

export const instanceRules = {
  /** How often an instance announces itself, in milliseconds. */
  everyMs: 5000,
  /** An instance that sent no announcement for this long is lost, in milliseconds. */
  lostAfterMs: 20_000,
  /** A lost or stopped instance is forgotten after so long, in milliseconds. */
  keptMs: 3_600_000,
} as const;

/** The state of an instance, from its announcements. */
export function instanceStateOf({
  silentMs,
  drainRequestedAt,
  leftAt,
}: Pick<InstanceRecord, 'silentMs' | 'drainRequestedAt' | 'leftAt'>): InstanceState {
  if (leftAt !== undefined) return 'left';
  if (silentMs > instanceRules.lostAfterMs) return 'lost';
  return drainRequestedAt === undefined ? 'serving' : 'draining';
}
