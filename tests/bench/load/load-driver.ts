import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { end, endsWithUs } from '../child-process';
import type { PreparedRequest } from '../calls/prepared-calls';

/** What the driver is to do. */
export interface LoadJob {
  readonly url: string;
  readonly requests: readonly PreparedRequest[];
  readonly connections: number;
  readonly seconds?: number;
  /** Every request is sent one time, however long that takes. */
  readonly once?: boolean;
  /** An even rate; absent: as many as the answers allow. */
  readonly perSecond?: number;
  /** Of calls at an even rate: so many of the seconds, the first ones, are not told of. */
  readonly leadInS?: number;
}

/** Calls at an even rate. */
type PacedJob = LoadJob & { readonly seconds: number; readonly perSecond: number };

/** In milliseconds. */
export interface Delays {
  readonly p50: number;
  readonly p99: number;
}

/** How a load went. */
export interface LoadFigures extends Delays {
  readonly requests: number;
  /** Those answered with 200. */
  readonly ok: number;
  /** Connections that broke, and calls that were not answered. */
  readonly broken: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Milliseconds since the epoch: the first call, and the last answer. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** How calls at an even rate went: also second by second, by when they were sent. */
interface PacedFigures extends LoadFigures {
  readonly bySecond: readonly Delays[];
}

export type PairedFigures = PacedFigures & { readonly beside: PacedFigures };

type JobResult<FigureReader> = { readonly figures: FigureReader } | { readonly problem: string };

/** What makes the load. */
export type LoadTool = 'wrk' | 'autocannon';

/** wrk, which takes less of the cores that all share, where it is there. */
const installedTool = (): LoadTool => (spawnSync('wrk', ['-v']).error ? 'autocannon' : 'wrk');

/** The process that makes the load. */
export class LoadDriver {
  private constructor(
    private readonly child: ChildProcess,
    readonly tool: LoadTool,
  ) {}

  static start(tool: LoadTool = installedTool()): LoadDriver {
    return new LoadDriver(endsWithUs(fork(join(__dirname, 'driver.cjs'), [tool], { execArgv: [] })), tool);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Makes one load after the other. */
  run(job: LoadJob): Promise<LoadFigures> {
    return this.resultOf(job);
  }

  /** Makes calls at an even rate, and at the same time, for as long, others at a rate of their own. */
  runBoth(job: PacedJob, beside: Pick<PacedJob, 'url' | 'requests' | 'perSecond'>): Promise<PairedFigures> {
    return this.resultOf({ ...job, beside });
  }

  private async resultOf<FigureReader>(job: object): Promise<FigureReader> {
    const settled = new AbortController();
    const { signal } = settled;
    const message = once(this.child, 'message', { signal }) as Promise<[JobResult<FigureReader>]>;
    const ended = once(this.child, 'exit', { signal }).then(() => Promise.reject(new Error('The process that makes the load has ended')));
    this.child.send(job);
    const [answer] = await Promise.race([message, ended]).finally(() => {
      settled.abort();
    });
    if ('problem' in answer) throw new Error(`The load could not be made: ${answer.problem}`);
    return answer.figures;
  }

  stop(): Promise<void> {
    return end(this.child);
  }
}

/** Answers with 200, a second. */
export const paceOf = ({ ok, startedAt, endedAt }: Pick<LoadFigures, 'ok' | 'startedAt' | 'endedAt'>): number =>
  endedAt > startedAt ? (ok * 1000) / (endedAt - startedAt) : 0;
