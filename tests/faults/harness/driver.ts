import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * How a call ended. `ok`: 2xx; `refused`: 4xx; `failed`: 5xx, or nobody listened, so that nothing was done; `unknown`: it was sent,
 * and no whole answer came.
 */
export type Outcome = 'ok' | 'refused' | 'failed' | 'unknown';

/** One call as it went; times by the monotonic clock, in milliseconds. */
export interface Operation {
  readonly name: string;
  /** What it is about: an order, a payment. */
  readonly key: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
  /** 0: no answer. */
  readonly status: number;
  readonly text: string;
}

export interface DriverCall {
  readonly name: string;
  readonly key: string;
  /** Whole; looked up anew for each call. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

const answerWithinMs = 25_000;

/** Makes calls as partners do, and writes down each of them. */
export class Driver {
  readonly operations: Operation[] = [];
  private readonly agent: Agent;

  /** `atOnce`: connections to one process. */
  constructor(atOnce = 64) {
    this.agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  }

  close(): void {
    this.agent.destroy();
  }

  async call({ name, key, url, headers = {}, body }: DriverCall): Promise<Operation> {
    const startedAt = performance.now();
    const { status, text, refusedConnection } = await this.exchange(url, headers, body);
    const endedAt = performance.now();
    const operation = { name, key, startedAt, endedAt, outcome: outcomeOf(status, refusedConnection), status, text };
    this.operations.push(operation);
    return operation;
  }

  /** How many of a name ended so. */
  count(name: string, outcome: Outcome): number {
    return this.operations.filter((one) => one.name === name && one.outcome === outcome).length;
  }

  private exchange(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Ended> {
    return new Promise((resolve) => {
      const sent = request(
        url,
        {
          method: 'POST',
          agent: this.agent,
          headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...headers },
          timeout: answerWithinMs,
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
          response.on('end', () => resolve({ status: response.complete ? (response.statusCode ?? 0) : 0, text }));
          response.on('error', () => resolve(noAnswer));
        },
      );
      sent.on('timeout', () => sent.destroy());
      sent.on('error', (error: NodeJS.ErrnoException) => resolve({ ...noAnswer, refusedConnection: error.code === 'ECONNREFUSED' }));
      sent.end(body);
    });
  }
}

interface Ended {
  readonly status: number;
  readonly text: string;
  readonly refusedConnection?: boolean;
}

const noAnswer: Ended = { status: 0, text: '' };

function outcomeOf(status: number, refusedConnection = false): Outcome {
  if (status === 0) return refusedConnection ? 'failed' : 'unknown';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'ok';
}

/** Does `count` pieces of work in order, `atOnce` of them at a time. */
export async function inQueues<T>(count: number, atOnce: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const queue = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) results[n] = await work(n);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, queue));
  return results;
}

export interface Pace {
  readonly perSecond: number;
  /** So many begin at the same moment. */
  readonly volley: number;
  /** Pieces in flight at most, 256; further ones are left out. */
  readonly atOnce?: number;
  /** Pieces at most; absent: as many as it goes on. */
  readonly maxCalls?: number;
  readonly goesOn: () => boolean;
}

/** Begins so many pieces of work a second, whether or not those before have ended; resolves to their number when all have. */
export async function atRate(pace: Pace, work: (n: number) => Promise<unknown>): Promise<number> {
  const { perSecond, volley, atOnce = 256, maxCalls = Infinity, goesOn } = pace;
  const startedAt = performance.now();
  const inFlight = new Set<Promise<unknown>>();
  let [due, begun] = [0, 0];
  while (begun < maxCalls && goesOn()) {
    const now = Math.floor((((performance.now() - startedAt) / 1000) * perSecond) / volley) * volley;
    for (; due < now && begun < maxCalls; due++) {
      if (inFlight.size >= atOnce) continue;
      const piece = work(begun++).finally(() => inFlight.delete(piece));
      inFlight.add(piece);
    }
    await pause(5);
  }
  await Promise.all(inFlight);
  return begun;
}
