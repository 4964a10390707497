import type { RequestHandler } from 'express';

/** One call that a sandbox partner received. No header, body or token is kept. */
export interface ReceivedCall {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The status answered; 0: the caller hung up first. */
  readonly status: number;
  readonly ms: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The X-Request-Id that came with it: names the inbound call of the service that caused this one. */
  readonly requestId: string | undefined;
}

const kept = 1000;

/** What a sandbox partner remembers of the calls it received: the last 1000, oldest first. */
export class CallLedger {
  private readonly entries: ReceivedCall[] = [];

  calls(): readonly ReceivedCall[] {
    return [...this.entries];
  }

  clear(): void {
    this.entries.length = 0;
  }

  /** Shows the ledger to whoever asks. */
  readonly show: RequestHandler = (_request, response) => {
    response.json({ data: this.entries.map(({ requestId, ...entry }) => ({ ...entry, request_id: requestId })) });
  };

  /** Enters each call when its answer has left. */
  readonly record: RequestHandler = (request, response, next) => {
    const at = Date.now();
    const began = performance.now();
    const { method, path } = request;
    const requestId = request.get('x-request-id');
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : 0;
      this.entries.push({ method, path, status, ms: performance.now() - began, at, requestId });
      if (this.entries.length > kept) this.entries.shift();
    });
    next();
  };
}
