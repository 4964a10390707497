export type Zone = 'utc' | 'local';

const parts = { year: 'numeric', month: 'short', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;

/** `21 Nov 2026, 14:03:59` in a zone; `precise` adds milliseconds. `at`: milliseconds since the epoch. */
export function timeWords(at: number, zone: Zone, precise = false): string {
  const text = new Intl.DateTimeFormat('en-GB', {
    ...parts,
    hourCycle: 'h23',
    ...(precise && { fractionalSecondDigits: 3 as const }),
    ...(zone === 'utc' && { timeZone: 'UTC' }),
  }).format(at);
  return zone === 'utc' ? `${text} UTC` : text;
}

/** `14:03:59` on the day of `now`, else `21 Nov 14:03`. */
export function shortTimeWords(at: number, zone: Zone, now: number): string {
  const { hour, minute, second, day, month } = parts;
  return inZone(at, zone, isSameDay(at, now, zone) ? { hour, minute, second } : { day, month, hour, minute });
}

/** `14:03` on the day of `now`, else `21 Nov 14:03`; for slots of time, which begin at a whole minute. */
export function minuteWords(at: number, zone: Zone, now: number): string {
  const { hour, minute, day, month } = parts;
  return inZone(at, zone, isSameDay(at, now, zone) ? { hour, minute } : { day, month, hour, minute });
}

/** `21 Nov`: a UTC day. */
export const dayWords = (at: number): string => inZone(at, 'utc', { day: parts.day, month: parts.month });

function inZone(at: number, zone: Zone, shown: Intl.DateTimeFormatOptions): string {
  const options = { ...shown, hourCycle: 'h23', ...(zone === 'utc' && { timeZone: 'UTC' }) } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(at).replace(',', '');
}

function isSameDay(at: number, now: number, zone: Zone): boolean {
  return inZone(at, zone, { dateStyle: 'short' }) === inZone(now, zone, { dateStyle: 'short' });
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** `4 m`, `2 d`, `1.5 s`, `350 ms`: a duration in its largest unit. */
export function lengthWords(ms: number): string {
  if (ms === 0) return '0 s';
  const [unit, size] = units.find(([, least]) => Math.abs(ms) >= least) ?? ['ms', 1];
  const value = ms / size;
  return `${String(unit === 's' && Math.abs(value) < 10 ? Math.round(10 * value) / 10 : Math.round(value))} ${unit}`;
}

/** `3 m ago`, `in 4 m`. */
export function distanceWords(at: number, now: number): string {
  const ms = Math.round(Math.abs(now - at) / 1000) * 1000;
  return Math.abs(now - at) < 1000 ? 'now' : at <= now ? `${lengthWords(ms)} ago` : `in ${lengthWords(ms)}`;
}
