import type { RequestHandler } from 'express';

/** A call that a sandbox partner received. Headers, bodies and tokens are not kept. */
export interface ReceivedCall {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** Status of the answer; 0 when the caller disconnected before. */
  readonly status: number;
  readonly ms: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** X-Request-Id of the call: the id of the inbound call to the service that caused it. */
  readonly requestId: string | undefined;
}

const kept = 1000;

/** The last 1000 calls that a sandbox partner received, oldest first. */
export class ReceivedCallLog {
  private readonly entries: ReceivedCall[] = [];

  calls(): readonly ReceivedCall[] {
    return [...this.entries];
  }

  clear(): void {
    this.entries.length = 0;
  }

  /** Lists the calls. */
  readonly show: RequestHandler = (_request, response) => {
    response.json({ data: this.entries.map(({ requestId, ...entry }) => ({ ...entry, request_id: requestId })) });
  };

  /** Records each call when its answer has left. */
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
