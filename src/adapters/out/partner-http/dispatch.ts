import type { Agent } from 'undici';
import type { WireAnswer, WireRequest } from './http-transport';
import { NoAnswer, reasonOf } from './no-answer';
import type { Connection, OnConnection } from './partner-connections';

/** Bytes of a body. */
const largest = 1024 * 1024;

/**
 * One request over undici's connections, answered whole, within `timeoutMs`. What is sent is what the request holds, once. Rejects
 * with NoAnswer.
 */
export const dispatch = (
  agent: Agent,
  { method, url, headers, body, statusSuffices = false }: Dispatched,
  timeoutMs: number,
): Promise<WireAnswer> =>
  new Promise((resolve, reject) => {
    const { origin, pathname, search } = new URL(url);
    const reader = new AnswerReader(statusSuffices, { resolve, reject });
    reader.limit(timeoutMs);
    try {
      agent.dispatch({ origin, path: search === '' ? pathname : pathname + search, method, body: body ?? null, headers }, reader);
    } catch {
      reader.refuse();
    }
  });

/** A request without its deadline. */
export type Dispatched = Omit<WireRequest, 'deadline'>;

interface Outcome {
  readonly resolve: (answer: WireAnswer) => void;
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
  private headers: ToldHeaders = noHeaders;
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private isReused = false;
  private ended = false;

  constructor(
    private readonly statusSuffices: boolean,
    private readonly outcome: Outcome,
  ) {}

  limit(timeoutMs: number): void {
    this.timer = setTimeout(() => {
      this.fail(new NoAnswer(this.isSent ? 'timeout' : 'connect-timeout', false));
    }, timeoutMs);
  }

  /** The library takes no such request. */
  refuse(): void {
    this.fail(new NoAnswer('connect', false));
  }

  onConnect(abort: (reason?: Error) => void): void {
    this.abort = abort;
    this.isReused = this.connection?.begin() ?? false;
    if (this.ended) abort(new Error('Over'));
  }

  onHeaders(status: number, raw: Buffer[]): boolean {
    [this.status, this.headers] = [status, headersFrom(raw)];
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.length += chunk.length;
    if (this.length > largest) this.fail(new NoAnswer('too-large', false));
    else this.chunks.push(chunk);
    return true;
  }

  onComplete(): void {
    const [first = nothing] = this.chunks;
    this.answer(this.chunks.length > 1 ? Buffer.concat(this.chunks) : first);
  }

  onError(error: Error): void {
    const hasAnswer = this.status !== undefined;
    const { reason, isClosed } = reasonOf(error, { isSent: this.isSent });
    this.fail(new NoAnswer(reason, isClosed && this.isReused && !hasAnswer));
  }

  /** The request is written as soon as it has its connection. */
  private get isSent(): boolean {
    return this.abort !== undefined;
  }

  private fail(reason: NoAnswer): void {
    if (this.ended) return;
    if (this.status !== undefined && this.statusSuffices) this.answer(nothing);
    else {
      this.end();
      this.outcome.reject(reason);
    }
    this.abort?.(reason);
  }

  private answer(body: Buffer): void {
    if (this.ended || this.status === undefined) return;
    this.end();
    const { contentType, contentEncoding, retryAfter } = this.headers;
    this.outcome.resolve({ status: this.status, contentType, contentEncoding, retryAfter, body });
  }

  private end(): void {
    this.ended = true;
    clearTimeout(this.timer);
  }
}

const nothing = Buffer.alloc(0);

type ToldHeaders = Pick<WireAnswer, 'contentType' | 'contentEncoding' | 'retryAfter'>;

const noHeaders: ToldHeaders = { contentType: '', contentEncoding: '', retryAfter: '' };

/** The headers that an answer is read by; of one that came more than once the first. */
function headersFrom(raw: readonly Buffer[]): ToldHeaders {
  const [type, encoding, retry] = ['content-type', 'content-encoding', 'retry-after'].map((name) => valueOf(raw, name));
  return { contentType: type ?? '', contentEncoding: encoding ?? '', retryAfter: retry ?? '' };
}

function valueOf(raw: readonly Buffer[], name: string): string | undefined {
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const given = raw[at]!;
    // Most are told apart by their length.
    if (given.length === name.length && given.toString('latin1').toLowerCase() === name) return raw[at + 1]!.toString('latin1');
  }
  return undefined;
}
