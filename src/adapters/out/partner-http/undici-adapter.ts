import type { AxiosAdapter, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import type { Agent } from 'undici';
import { NoAnswer, reasonOf } from './no-answer';
import type { Connection, OnConnection } from './partner-connections';

/** How an answer is read. */
export interface ReadingRules {
  /** Bytes of a body. */
  readonly largest: number;
  /** A body that cannot be read whole, in time and size, is an empty one. */
  readonly statusSuffices: boolean;
}

/**
 * The transport under axios: one request over undici's connections, answered whole, within `timeout` milliseconds. What is sent
 * is what the configuration holds, once. Rejects with NoAnswer.
 */
export const undiciAdapter =
  (agent: Agent, rules: ReadingRules): AxiosAdapter =>
  (config) =>
    new Promise((resolve, reject) => {
      const { url = '', method = 'get', headers, timeout = 0 } = config;
      const { origin, pathname, search } = new URL(url);
      const reader = new AnswerReader(config, rules, { resolve, reject });
      reader.limit(timeout);
      try {
        const request = { origin, path: pathname + search, method: method.toUpperCase(), body: config.data as Buffer | null };
        agent.dispatch({ ...request, headers: headers.toJSON() as Record<string, string> }, reader);
      } catch {
        reader.refuse();
      }
    });

interface Outcome {
  readonly resolve: (answer: AxiosResponse) => void;
  readonly reject: (reason: NoAnswer) => void;
}

/**
 * Gathers one answer. Whatever comes after its end is not heard. (The library's older interface for this: the newer one is
 * wrapped on its way, so that a connection could not tell that it takes the request.)
 */
class AnswerReader implements OnConnection {
  connection?: Connection;
  private abort: ((reason: Error) => void) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private status: number | undefined;
  private headers: Readonly<Record<string, string>> = {};
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private isReused = false;
  private ended = false;

  constructor(
    private readonly config: InternalAxiosRequestConfig,
    private readonly rules: ReadingRules,
    private readonly outcome: Outcome,
  ) {}

  limit(timeoutMs: number): void {
    this.timer = setTimeout(() => {
      this.fail(new NoAnswer('timeout', false));
    }, timeoutMs);
  }

  /** The library takes no such request. */
  refuse(): void {
    this.fail(new NoAnswer('reset', false));
  }

  onConnect(abort: (reason?: Error) => void): void {
    this.abort = abort;
    this.isReused = (this.connection?.begun ?? 0) > 0;
    if (this.connection) this.connection.begun++;
    if (this.ended) abort(new Error('Over'));
  }

  onHeaders(status: number, raw: Buffer[]): boolean {
    // What informs (1xx) is not the answer.
    if (status >= 200) [this.status, this.headers] = [status, headersFrom(raw)];
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.length += chunk.length;
    if (this.length > this.rules.largest) this.fail(new NoAnswer('too-large', false));
    else this.chunks.push(chunk);
    return true;
  }

  onComplete(): void {
    const [first = nothing] = this.chunks;
    this.answer(this.chunks.length > 1 ? Buffer.concat(this.chunks) : first);
  }

  onError(error: Error): void {
    const hasAnswer = this.status !== undefined;
    const { reason, isClosed } = reasonOf(error, { isSent: this.abort !== undefined });
    this.fail(new NoAnswer(reason, isClosed && this.isReused && !hasAnswer));
  }

  private fail(reason: NoAnswer): void {
    if (this.ended) return;
    if (this.status !== undefined && this.rules.statusSuffices) this.answer(nothing);
    else {
      this.end();
      this.outcome.reject(reason);
    }
    this.abort?.(reason);
  }

  private answer(data: Buffer): void {
    if (this.ended || this.status === undefined) return;
    this.end();
    const { status, headers, config } = this;
    this.outcome.resolve({ status, statusText: '', headers: { ...headers }, data, config });
  }

  private end(): void {
    this.ended = true;
    clearTimeout(this.timer);
  }
}

const nothing = Buffer.alloc(0);

const told: readonly string[] = ['content-type', 'content-encoding', 'retry-after'];

/** The headers that an answer is read by; of one that came more than once the first. */
function headersFrom(raw: readonly Buffer[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]!.toString('latin1').toLowerCase();
    if (told.includes(name) && !Object.hasOwn(headers, name)) headers[name] = raw[at + 1]!.toString('latin1');
  }
  return headers;
}
