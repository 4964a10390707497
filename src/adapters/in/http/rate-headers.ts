import type { ServerResponse } from 'node:http';
import type { RateCount } from '../../../domain/shared/rate-count';

/** Tells a caller how much of a limit is left, and in how many seconds it begins anew. */
export function setRateHeaders(res: ServerResponse, { limit, remaining, resetS }: RateCount): void {
  res.setHeader('RateLimit-Limit', limit);
  res.setHeader('RateLimit-Remaining', remaining);
  res.setHeader('RateLimit-Reset', resetS);
}
