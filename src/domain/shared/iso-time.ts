/** The second printed last, and its text: concurrent calls mostly print times of the same second. */
let last = { second: 0, start: '1970-01-01T00:00:00.' };

const thousandths = Array.from({ length: 1000 }, (_, ms) => `${String(ms).padStart(3, '0')}Z`);

/** Prints milliseconds since the epoch, a whole number, as RFC 3339 in UTC, with milliseconds. Throws RangeError for an invalid time. */
export function isoTime(ms: number): string {
  const second = Math.floor(ms / 1000);
  const end = thousandths[ms - second * 1000];
  if (end === undefined) return new Date(ms).toISOString();
  if (second !== last.second) last = { second, start: new Date(ms).toISOString().slice(0, -4) };
  return last.start + end;
}
