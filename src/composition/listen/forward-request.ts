import { request as plain } from 'node:http';
import { request as secure } from 'node:https';

/** A request to a partner as the manage API shows it. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body_base64: string;
}

/** The result on the developer's machine. */
export interface Forwarded {
  /** Absent: no answer. */
  readonly status?: number;
  /** The reason why there was no answer, as the system's error code. */
  readonly reason?: string;
  readonly ms: number;
}

/** The time limit, as for a partner, in milliseconds. */
const deadlineMs = 15_000;

/**
 * Sends the request to `target` instead of its own URL. Everything else is unchanged: the bytes, the order of headers, and the Host of the
 * partner's URL. A target without a path gets the path and query of that URL. Follows no redirect. Never throws.
 */
export function forwardRequest(shown: ShownRequest, target: URL, stopping: AbortSignal): Promise<Forwarded> {
  const meant = new URL(shown.url);
  const url = target.pathname === '/' && target.search === '' ? new URL(meant.pathname + meant.search, target.href) : target;
  const body = Buffer.from(shown.body_base64, 'base64');
  const headers = ['Host', meant.host, ...shown.headers.flat(), 'Content-Length', String(body.length)];
  const began = performance.now();
  const after = (): number => Math.round(performance.now() - began);
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(deadlineMs)]);
  const send = url.protocol === 'https:' ? secure : plain;
  return new Promise((resolve) => {
    const sent = send(url, { method: shown.method, headers, signal, agent: false }, (response) => {
      response.resume();
      response.once('close', () => {
        resolve(response.complete ? { status: response.statusCode ?? 0, ms: after() } : { reason: 'broken off', ms: after() });
      });
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      resolve({ reason: error.name === 'AbortError' ? 'no answer in time' : (error.code ?? error.message), ms: after() });
    });
    sent.end(body);
  });
}
