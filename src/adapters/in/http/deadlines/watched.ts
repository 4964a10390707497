import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { CallTime } from '../../../../domain/exchanges/call-time';
import type { AnswersInTime } from './answers-in-time';

/**
 * Watches requests outside the partner API; one that waits too long is answered by `refuse`. The error does not go through `next`: the
 * router accepts one error per request, and the request may still fail by itself.
 */
export const watched =
  (inTime: AnswersInTime, refuse: ErrorRequestHandler): RequestHandler =>
  (req, res, next) => {
    const { time, end } = inTime.watch(req, res, (error) => void refuse(error, req, res, () => undefined));
    res.locals['time'] = time;
    res.on('close', end);
    next();
  };

const timeOf = (res: Response): CallTime | undefined => res.locals['time'] as CallTime | undefined;

/** Exempts a handler from the deadline when it waits for partners or reads a lot by design. */
export const unhurried: RequestHandler = (_req, res, next) => {
  timeOf(res)?.toPartner();
  next();
};
