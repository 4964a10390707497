import { request as plain } from 'node:http';
import { request as secure } from 'node:https';

/** A request to a partner as the manage API gives it. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body_base64: string;
}

/** What the developer's machine made of it. */
export interface Forwarded {
  /** Absent: no answer. */
  readonly status?: number;
  /** Why there was none, in the system's word for it. */
  readonly reason?: string;
  readonly ms: number;
}

/** As long as a partner has to answer, in milliseconds. */
const deadlineMs = 15_000;

/**
 * Sends the request to `target` in place of its own URL, everything else as it is: the bytes, the headers in their order, the Host
 * of the partner's URL. A target without a path takes the path and query of that URL. No redirect is followed. Never throws.
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
