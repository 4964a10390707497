import type { RequestHandler, Response } from 'express';

/** The work for one call. It ends when the response is finished or the caller has disconnected, and no handler runs any more. */
export class CallWork {
  private parts = 1;

  constructor(private readonly ended: () => void) {}

  begin(): void {
    this.parts++;
  }

  /** Ends one part: the call itself, or a part that `begin` started. */
  end(): void {
    if (--this.parts === 0) this.ended();
  }
}

/** Tracks the work of this call. It lasts at least until `res` is closed. */
export function noteWork(res: Response, ended: () => void): void {
  const work = new CallWork(ended);
  res.locals['work'] = work;
  res.once('close', () => work.end());
}

/** Marks a handler as part of its call's work: when the caller disconnects, the handler and its statements still run on. */
export const asWork =
  (handler: RequestHandler): RequestHandler =>
  async (req, res, next) => {
    const work = res.locals['work'] as CallWork | undefined;
    work?.begin();
    try {
      await handler(req, res, next);
    } finally {
      work?.end();
    }
  };
