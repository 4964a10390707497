import { type Axios, AxiosHeaders, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import type { Dispatcher } from 'undici';
import { NoAnswer, reasonOf } from './no-answer';
import type { DispatchByConnection } from './partner-connections';

declare module 'axios' {
  interface AxiosRequestConfig {
    /** The dispatcher that sends the request. */
    connections?: Dispatcher;
    /** The status is enough: a body that is too large, late or incomplete is read as empty. */
    bodyOptional?: boolean;
  }
}

/** The axios instance that makes the calls. (The types of axios export the class only as a value.) */
export type PartnerAxios = InstanceType<typeof Axios>;

/** The maximum size of a response body in bytes. */
const largestBody = 1024 * 1024;

/** The response headers that are read. axios compares each header with all others, so it gets no more than these. */
const headersRead = ['content-type', 'content-encoding', 'retry-after'] as const;

/**
 * An axios adapter over undici's connections: one request, and its complete response. It reads from the config `url` (absolute), `method`,
 * `headers`, `data` (bytes), `timeout` (milliseconds, from connecting to the last byte), `connections` and `bodyOptional`. A response has
 * at most 1 MiB. It follows no redirect, decompresses nothing, and accepts any status. Rejects with NoAnswer, which unlike an AxiosError
 * holds nothing of the request.
 */
export const undiciAdapter = (config: InternalAxiosRequestConfig): Promise<AxiosResponse<Buffer>> =>
  new Promise((resolve, reject) => {
    const { url = '', method = 'get', headers, connections } = config;
    if (!connections) throw new TypeError('A request needs connections');
    const { origin, pathname, search } = new URL(url);
    const options: DispatchByConnection = {
      origin,
      path: pathname + search,
      method: method.toUpperCase(),
      headers: headers.toJSON(),
      body: config.data as Buffer | null,
      connection: undefined,
    };
    connections.dispatch(options, new AnswerReader({ config, options, resolve, reject }));
  });

interface Reading {
  readonly config: InternalAxiosRequestConfig;
  readonly options: DispatchByConnection;
  readonly resolve: (response: AxiosResponse<Buffer>) => void;
  readonly reject: (reason: NoAnswer) => void;
}

/** Reads one response; ignores bytes after its end. */
class AnswerReader implements Dispatcher.DispatchHandler {
  private readonly timer: NodeJS.Timeout;
  /** Set when the request has its connection, which then sends it at once. */
  private sending: Dispatcher.DispatchController | undefined;
  private head: Pick<AxiosResponse, 'status' | 'headers'> | undefined;
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private isReused = false;
  private ended = false;

  constructor(private readonly reading: Reading) {
    this.timer = setTimeout(() => {
      this.fail(new NoAnswer(this.sending ? 'timeout' : 'connect-timeout', false));
    }, reading.config.timeout);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.sending = controller;
    this.isReused = this.reading.options.connection?.begin() ?? false;
    if (this.ended) controller.abort(new Error('Over'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, all: Record<string, string | string[] | undefined>): void {
    const headers = new AxiosHeaders();
    for (const name of headersRead) {
      const value = all[name];
      // An array means that the header was repeated; the first value is used.
      if (value !== undefined) headers.set(name, Array.isArray(value) ? value[0] : value);
    }
    this.head = { status, headers };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.length += chunk.length;
    if (this.length > largestBody) this.fail(new NoAnswer('too-large', false));
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.answer(this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { reason, isClosed } = reasonOf(error, { isSent: this.sending !== undefined });
    this.fail(new NoAnswer(reason, isClosed && this.isReused && !this.head));
  }

  private fail(reason: NoAnswer): void {
    if (this.ended) return;
    if (this.head && this.reading.config.bodyOptional) this.answer(Buffer.alloc(0));
    else {
      this.end();
      this.reading.reject(reason);
    }
    this.sending?.abort(reason);
  }

  private answer(data: Buffer): void {
    if (this.ended || !this.head) return;
    this.end();
    const { config, resolve } = this.reading;
    const { status, headers } = this.head;
    resolve({ status, statusText: '', headers, data, config });
  }

  private end(): void {
    this.ended = true;
    clearTimeout(this.timer);
  }
}
