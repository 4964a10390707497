import type { RequestHandler } from 'express';
import { ReceivedCallLog } from '../partners/received-call-log';
import type { Lane, PlaygroundLeg } from './playground-leg';

/** Records the calls that a page of the playground makes to its own back end. */
export class PageCalls {
  private readonly receivedCalls = new ReceivedCallLog();

  /** `watched`: the paths to record. Others, such as polling, are not part of a flow. */
  constructor(
    private readonly ends: { readonly from: Lane; readonly to: Lane },
    private readonly watched: RegExp,
  ) {}

  readonly record: RequestHandler = (request, response, next) => {
    if (request.method !== 'GET' && this.watched.test(request.path)) void this.receivedCalls.record(request, response, next);
    else next();
  };

  /** Calls that began at `from` (milliseconds since the epoch) or later. */
  since(from: number): PlaygroundLeg[] {
    const calls = this.receivedCalls.calls().filter(({ at }) => at >= from);
    return calls.map(({ method, path, status, ms, at }): PlaygroundLeg => {
      return {
        id: `${this.ends.to}.${at}.${ms}`,
        at,
        ...this.ends,
        call: `${method} ${path.replace(/pay_[0-9a-f]+/, '{id}')}`,
        ...(status !== 0 && { status }),
        ...(status >= 400 && {
          code: String(status),
          verdict: 'This back end passes on what it was answered itself: see the calls below.',
        }),
        ms,
        attempt: 1,
        details: { Path: path },
      };
    });
  }
}
