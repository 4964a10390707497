import type { ServerResponse } from 'node:http';
import type { RateCount } from '../../../../domain/shared/rate-count';

/** Sets the headers that show the rest of a limit and the seconds until it resets. */
export function setRateHeaders(res: ServerResponse, { limit, remaining, resetS }: RateCount): void {
  res.setHeader('RateLimit-Limit', limit);
  res.setHeader('RateLimit-Remaining', remaining);
  res.setHeader('RateLimit-Reset', resetS);
}
