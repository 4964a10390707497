import type { Circuit } from '../deliveries/circuit';
import type { LaneState } from '../deliveries/lane';
import type { AuditEntry, PageRequest } from '../partners/ports';
import type { InstanceRecord, InstanceReport } from './instance';

/** Where the processes of the service announce themselves to one another and to the operator. */
export interface InstanceBoard {
  /** True: the operator has asked this instance to leave. */
  announce(report: InstanceReport): Promise<boolean>;
  /** It is leaving in order, and is not heard of again. */
  leave(id: string): Promise<void>;
  /** By id, ascending. */
  list(page: PageRequest): Promise<readonly InstanceRecord[]>;
  find(id: string): Promise<InstanceRecord | undefined>;
  /** Asks a serving instance to leave, committed with the audit row. Resolves to `undefined` where none of this id serves. */
  askToDrain(id: string, audit: (before: InstanceRecord) => AuditEntry): Promise<InstanceRecord | undefined>;
}

/** What waits to be delivered. */
export interface Backlog {
  /** Deliveries that are owed and not parked; beyond `backlogRules.counted` they are not counted further. */
  readonly waiting: number;
  /** Since when the oldest of them has been owed, in milliseconds; 0: nothing waits. */
  readonly oldestMs: number;
  /** By how much the most overdue attempt is late, in milliseconds; 0: none is. */
  readonly lateMs: number;
}

/** The backlog at one minute (milliseconds since the epoch). */
export interface BacklogSample extends Backlog {
  readonly at: number;
}

export const backlogRules = {
  /** Deliveries that are counted at most. */
  counted: 100_000,
  /** Minutes in one answer at most: 31 days of quarter hours. */
  points: 3000,
  keptMs: 31 * 86_400_000,
} as const;

/** Stuck work, for those who watch. Each is counted up to `backlogRules.counted`. */
export interface Standing {
  readonly parked: number;
  /** Given up, and kept. */
  readonly failed: number;
  /** Lanes that are not clear. */
  readonly lanes: Readonly<Record<Exclude<LaneState, 'clear'>, number>>;
  /** By how much the most overdue attempt is late, in milliseconds, by the circuit of its lane; `paused`: somebody wants it so. */
  readonly lateMs: Readonly<Record<Circuit | 'paused', number>>;
  /** Host apps that are not asked about payments for now, as they failed. */
  readonly hostAppsLeftAlone: number;
}

/** How much of one limit is used in the present minute. */
export interface LimitUse {
  readonly limit: string;
  /** The counted ones. */
  readonly subjects: number;
  /** Calls of the busiest of them. */
  readonly most: number;
  /** Those at it. */
  readonly reached: number;
}

/** The database as it stands. */
export interface DatabaseFacts {
  readonly version: string;
  /** Bytes. */
  readonly size: number;
  /** Of all who use it, and how many there may be. */
  readonly connections: number;
  readonly mostConnections: number;
  /** The serving role may read and append entries of the audit trail, no more. */
  readonly auditTrailProtected: boolean;
  readonly migrations: {
    /** Oldest first. */
    readonly applied: readonly string[];
    /** Known to this version and not applied, oldest first. */
    readonly pending: readonly string[];
    /** Applied by a later version. */
    readonly unknown: readonly string[];
  };
}

/** The state of the service as a whole, for the operator. Nothing of it is on the way of a call. */
export interface OperationsReader {
  backlog(): Promise<Backlog>;
  standing(): Promise<Standing>;
  /** Keeps the present backlog as that of its minute, unless another instance has; forgets old ones. */
  sample(): Promise<void>;
  /** From `from` to before `to`, oldest first; thinned evenly where there are more than `backlogRules.points`. */
  samples(range: { readonly from: number; readonly to: number }): Promise<readonly BacklogSample[]>;
  /** `points`: how many calls each limit allows in a minute. */
  limits(points: Readonly<Record<string, number>>): Promise<readonly LimitUse[]>;
  database(): Promise<DatabaseFacts>;
}

export type RunState = 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';

/** Something that takes minutes, begun by the operator or a partner: one of its kind at a time over all instances. */
export interface LongRun<Request, Progress> {
  readonly id: string;
  /** Whose it is. */
  readonly subject: string;
  readonly state: RunState;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt?: number | undefined;
  readonly cancelAsked: boolean;
  readonly request: Request;
  readonly progress: Progress;
}

export const runRules = {
  /** Runs kept of one subject. */
  kept: 20,
  /** A run that was not heard of for so long is interrupted, in milliseconds: the process that made it is gone. */
  silentMs: 60_000,
} as const;

/** A run as it begins. */
export type RunStart<Request, Progress> = Pick<LongRun<Request, Progress>, 'id' | 'subject' | 'request' | 'progress'>;

/** Where the runs of one kind are kept. */
export interface RunBook<Request, Progress> {
  /** Committed with the audit row. Resolves to `undefined`, and keeps nothing, while another one runs. */
  start(run: RunStart<Request, Progress>, audit: AuditEntry): Promise<LongRun<Request, Progress> | undefined>;
  /** It goes on. True: it was asked to stop, or is no more ours. */
  beat(id: string, progress: Progress): Promise<boolean>;
  end(id: string, state: RunState, progress: Progress): Promise<void>;
  /** Resolves to `undefined` where it does not run. */
  cancel(id: string, audit: AuditEntry): Promise<LongRun<Request, Progress> | undefined>;
  find(id: string): Promise<LongRun<Request, Progress> | undefined>;
  /** Newest first; of one subject, or of all. */
  list(page: PageRequest, subject?: string): Promise<readonly LongRun<Request, Progress>[]>;
}
