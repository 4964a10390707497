const form = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const minute = 60_000;
const day = 24 * 60 * minute;

/** The range of years that a date can have; an offset may lead out of it. */
const first = Date.parse('0001-01-01T00:00:00Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The instant of a date and time, in milliseconds since the epoch, truncated; `undefined` when it is invalid, also in the calendar
 * (`2026-02-30`). A leap second counts as the second after it. Source: RFC 3339 §5.6, §5.7.
 */
export function readDateTime(text: string): number | undefined {
  const found = form.exec(text);
  if (!found) return undefined;
  const [, date = '', hour = '', minutes = '', seconds = '', fraction = '0', sign = '+', offsetHour = '0', offsetMinutes = '0'] = found;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // An impossible day of a month gives NaN, or a day of the next month.
  if (new Date(midnight).getUTCDate() !== Number(date.slice(8))) return undefined;
  if (+hour > 23 || +minutes > 59 || +seconds > 60 || +offsetHour > 23 || +offsetMinutes > 59) return undefined;
  const offset = (+offsetHour * 60 + +offsetMinutes) * minute * (sign === '-' ? -1 : 1);
  const at = midnight + (+hour * 60 + +minutes) * minute + +seconds * 1000 - offset;
  if (+seconds === 60 && !isMonthsFirstSecond(at)) return undefined;
  const instant = at + Number(fraction.padEnd(3, '0').slice(0, 3));
  return instant >= first && instant <= last ? instant : undefined;
}

/** Leap seconds are inserted at the end of a month, in UTC. */
const isMonthsFirstSecond = (at: number): boolean => at % day === 0 && new Date(at).getUTCDate() === 1;
