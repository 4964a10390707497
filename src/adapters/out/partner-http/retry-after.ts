/** Parses Retry-After, a number of seconds or a date (RFC 9110 §10.2.3), into seconds. Ignores anything else. */
export function secondsOf(retryAfter: string, now: number): number | undefined {
  if (retryAfter === '') return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? undefined : Math.max(0, (until - now) / 1000);
}
