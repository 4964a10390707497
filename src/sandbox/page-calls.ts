import type { RequestHandler } from 'express';
import { CallLedger } from './call-ledger';
import type { Lane, PlaygroundLeg } from './playground-leg';

/** The calls that a page of the playground makes to its own back end. */
export class PageCalls {
  private readonly ledger = new CallLedger();

  /** Of all that passes, `watched` says which paths count: a page also asks for news, which is no step of anything. */
  constructor(
    private readonly way: { readonly from: Lane; readonly to: Lane },
    private readonly watched: RegExp,
  ) {}

  readonly record: RequestHandler = (request, response, next) => {
    if (request.method !== 'GET' && this.watched.test(request.path)) void this.ledger.record(request, response, next);
    else next();
  };

  /** Those that began at `from` (milliseconds since the epoch) or later. */
  since(from: number): PlaygroundLeg[] {
    const calls = this.ledger.calls().filter(({ at }) => at >= from);
    return calls.map(({ method, path, status, ms, at }): PlaygroundLeg => {
      return {
        id: `${this.way.to}.${at}.${ms}`,
        at,
        ...this.way,
        call: `${method} ${path.replace(/pay_[0-9a-f]+/, '{id}')}`,
        ...(status !== 0 && { status }),
        ...(status >= 400 && {
          code: String(status),
          verdict: 'This back end passes on what it was answered itself: see the calls below.',
        }),
        ms,
        attempt: 1,
        facts: { Path: path },
      };
    });
  }
}
