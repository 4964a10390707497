import type { RequestHandler, Response } from 'express';

/** The work for one call. It ends when the answer has left, or the caller, and no handler runs any more. */
export class CallWork {
  private parts = 1;

  constructor(private readonly ended: () => void) {}

  begin(): void {
    this.parts++;
  }

  /** Ends one part: the call itself, or what `begin` has begun. */
  end(): void {
    if (--this.parts === 0) this.ended();
  }
}

/** Notes the work of this call, which goes on until `res` is closed at least. */
export function noteWork(res: Response, ended: () => void): void {
  const work = new CallWork(ended);
  res.locals['work'] = work;
  res.once('close', () => work.end());
}

/** A handler that is part of its call's work: a caller that goes away ends neither the handler nor its statements. */
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
