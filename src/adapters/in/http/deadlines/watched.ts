import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { CallTime } from '../../../../domain/exchanges/call-time';
import type { AnswersInTime } from './answers-in-time';

/**
 * Watches requests that are no calls of the API: one that waits too long is answered by `refuse`. It is not passed on by `next`: the router
 * takes one error of a request, and the request may still fail by itself.
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

/** Stands before a handler that waits for partners, or has much to read on purpose: it takes the time that it needs. */
export const unhurried: RequestHandler = (_req, res, next) => {
  timeOf(res)?.toPartner();
  next();
};
