let last = { ms: 0, text: new Date(0).toISOString() };

/**
 * Milliseconds since the epoch as RFC 3339 in UTC, with milliseconds. The last one is kept: what is written of a call has the same
 * time in several places. Throws RangeError where it is no time.
 */
export function isoTime(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
  return last.text;
}
