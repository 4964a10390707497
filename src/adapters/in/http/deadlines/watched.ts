import type { RequestHandler, Response } from 'express';
import type { CallTime } from '../../../../domain/exchanges/call-time';
import type { AnswersInTime } from './answers-in-time';

/** Watches what Express serves: who waits too long is refused as any error is. */
export const watched =
  (inTime: AnswersInTime): RequestHandler =>
  (req, res, next) => {
    const { time, end } = inTime.watch(req, res, next);
    res.locals['time'] = time;
    res.on('close', end);
    next();
  };

const timeOf = (res: Response): CallTime | undefined => res.locals['time'] as CallTime | undefined;

/** Stands before a handler that waits for partners, or has much to read on purpose: it takes the time that it needs. */
export const unhurried: RequestHandler = (_req, res, next) => {
  timeOf(res)?.toPartner();
  next();
};
