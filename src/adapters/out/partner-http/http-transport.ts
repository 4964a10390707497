import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import type { Agent } from 'undici';
import type { Clock } from '../../../domain/shared/ports';
import { NoAnswer } from './no-answer';
import { undiciAdapter } from './undici-adapter';

/** One HTTP request, whole: what is in it is what is sent. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** When the answer must be there, in milliseconds since the epoch. */
  readonly deadline: number;
  /** The answer stands with its status: a body that cannot be read whole, in time and size, is an empty one. */
  readonly statusSuffices?: boolean;
}

/** One HTTP answer, read whole and not yet understood. */
export interface WireAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly contentEncoding: string;
  /** As it came; empty where there was none. */
  readonly retryAfter: string;
  readonly body: Uint8Array;
}

const largest = 1024 * 1024;

/** Sends bytes and reads bytes, within time and size, by one connection and without detours. Source: decisions §3, Time limits. */
export class HttpTransport {
  private readonly whole: AxiosInstance;
  private readonly statusFirst: AxiosInstance;
  private readonly clock: Clock;

  constructor(deps: { connections: Agent; clock: Clock }) {
    this.clock = deps.clock;
    const instance = (statusSuffices: boolean): AxiosInstance =>
      axios.create({
        adapter: undiciAdapter(deps.connections, { largest, statusSuffices }),
        validateStatus: null,
        transformRequest: [],
        transformResponse: [],
      });
    this.whole = instance(false);
    this.statusFirst = instance(true);
  }

  /** Throws NoAnswer. */
  async send({ method, url, headers, body, deadline, statusSuffices = false }: WireRequest): Promise<WireAnswer> {
    const remaining = deadline - this.clock.now();
    if (remaining <= 0) throw new NoAnswer('timeout', false);
    const instance = statusSuffices ? this.statusFirst : this.whole;
    return answerOf(await instance.request<Uint8Array>({ method, url, headers, data: body, timeout: remaining }));
  }
}

function answerOf({ status, headers, data: body }: AxiosResponse<Uint8Array>): WireAnswer {
  const { 'content-type': contentType, 'content-encoding': contentEncoding, 'retry-after': retryAfter } = headers;
  return { status, contentType: text(contentType), contentEncoding: text(contentEncoding), retryAfter: text(retryAfter), body };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
