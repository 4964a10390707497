import type { Circuit } from '../deliveries/circuit';
import type { QueueState } from '../deliveries/endpoint-queue';
import type { AuditEntry, PageRequest } from '../partners/ports';
import type { InstanceRecord, InstanceReport } from './instance';

/** Stores the announcements of the service's processes, for one another and for the operator. */
export interface InstanceRepository {
  /** Resolves to true if the operator requested that this instance drains. */
  announce(report: InstanceReport): Promise<boolean>;
  /** Stores that the instance stops in an orderly way and sends no more announcements. */
  leave(id: string): Promise<void>;
  /** Sorted by id, ascending. */
  list(page: PageRequest): Promise<readonly InstanceRecord[]>;
  find(id: string): Promise<InstanceRecord | undefined>;
  /** Requests that a serving instance drains; committed with the audit row. Resolves to `undefined` where none of this id serves. */
  requestDrain(id: string, audit: (before: InstanceRecord) => AuditEntry): Promise<InstanceRecord | undefined>;
}

/** The deliveries that wait. */
export interface Backlog {
  /** Pending deliveries without the parked ones, counted up to `backlogRules.counted`. */
  readonly waiting: number;
  /** Age of the oldest of them, in milliseconds; 0 when nothing waits. */
  readonly oldestMs: number;
  /** Delay of the most overdue attempt, in milliseconds; 0 when none is overdue. */
  readonly lateMs: number;
}

/** The backlog of one minute (milliseconds since the epoch). */
export interface BacklogSample extends Backlog {
  readonly at: number;
}

export const backlogRules = {
  /** Maximum number of deliveries that are counted. */
  counted: 100_000,
  /** Maximum number of samples in one answer: 31 days of quarter hours. */
  points: 3000,
  keptMs: 31 * 86_400_000,
} as const;

/** Work that is stuck, for monitoring. Each number is counted up to `backlogRules.counted`. */
export interface Standing {
  readonly parked: number;
  /** Given up, and still stored. */
  readonly failed: number;
  /** Number of queues by state, without the clear ones. */
  readonly queues: Readonly<Record<Exclude<QueueState, 'clear'>, number>>;
  /** Delay of the most overdue attempt, in milliseconds, by the circuit of its queue; `paused`: an operator paused the queue. */
  readonly lateMs: Readonly<Record<Circuit | 'paused', number>>;
  /** Number of host apps without status polls for now, because they failed. */
  readonly hostAppsLeftAlone: number;
}

/** Use of one rate limit in the current minute. */
export interface LimitUse {
  readonly limit: string;
  /** Number of counted callers. */
  readonly subjects: number;
  /** Calls of the busiest caller. */
  readonly busiest: number;
  /** Number of callers that have reached the limit. */
  readonly reached: number;
}

/** Version, size, connections and migrations of the database. */
export interface DatabaseDetails {
  readonly version: string;
  /** Size in bytes. */
  readonly size: number;
  /** Connections of all clients, and the maximum. */
  readonly connections: number;
  readonly maxConnections: number;
  /** Whether the serving role may only read and append entries of the audit trail. */
  readonly auditTrailProtected: boolean;
  readonly migrations: {
    /** Oldest first. */
    readonly applied: readonly string[];
    /** Known to this version, but not applied; oldest first. */
    readonly pending: readonly string[];
    /** Applied by a newer version. */
    readonly unknown: readonly string[];
  };
}

/** Reads the state of the whole service, for the operator. Relayed calls never use it. */
export interface OperationsReader {
  backlog(): Promise<Backlog>;
  standing(): Promise<Standing>;
  /** Stores the current backlog for this minute, unless another instance has; deletes old samples. */
  sample(): Promise<void>;
  /** From `from` to before `to`, oldest first; thinned evenly where there are more than `backlogRules.points`. */
  samples(range: { readonly from: number; readonly to: number }): Promise<readonly BacklogSample[]>;
  /** `points` is the number of calls that each limit allows in a minute. */
  limits(points: Readonly<Record<string, number>>): Promise<readonly LimitUse[]>;
  database(): Promise<DatabaseDetails>;
}

export type RunState = 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';

/** Work that takes minutes, started by the operator or a partner: one run of a kind at a time over all instances. */
export interface LongRun<Request, Progress> {
  readonly id: string;
  /** Identifies the owner of the run. */
  readonly subject: string;
  readonly state: RunState;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt?: number | undefined;
  readonly cancelRequested: boolean;
  readonly request: Request;
  readonly progress: Progress;
}

export const runRules = {
  /** Number of runs kept per subject. */
  kept: 20,
  /** Milliseconds without a heartbeat after which a run counts as interrupted: its process is gone. */
  silentMs: 60_000,
} as const;

/** A run to start. */
export type RunStart<Request, Progress> = Pick<LongRun<Request, Progress>, 'id' | 'subject' | 'request' | 'progress'>;

/** Stores the runs of one kind. */
export interface RunRepository<Request, Progress> {
  /** Committed with the audit row. Resolves to `undefined`, and stores nothing, while another run is in progress. */
  start(run: RunStart<Request, Progress>, audit: AuditEntry): Promise<LongRun<Request, Progress> | undefined>;
  /** Stores the progress as a heartbeat. Resolves to true if the run must stop or is no longer ours. */
  beat(id: string, progress: Progress): Promise<boolean>;
  end(id: string, state: RunState, progress: Progress): Promise<void>;
  /** Requests that the run stops. Resolves to `undefined` where it is not running. */
  cancel(id: string, audit: AuditEntry): Promise<LongRun<Request, Progress> | undefined>;
  find(id: string): Promise<LongRun<Request, Progress> | undefined>;
  /** Newest first; of one subject, or of all. */
  list(page: PageRequest, subject?: string): Promise<readonly LongRun<Request, Progress>[]>;
}
