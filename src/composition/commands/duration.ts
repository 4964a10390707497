import { InvalidArgumentError } from 'commander';

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Parses a text such as `90s`, `10m`, `6h` or `7d` into seconds. Throws InvalidArgumentError. */
export function durationS(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,7}(?:\.\d{1,3})?)([smhd])$/.exec(text) ?? [];
  const value = Number(number) * (seconds[unit] ?? Number.NaN);
  if (number !== '' && value > 0) return value;
  throw new InvalidArgumentError('must be a number with s, m, h or d, such as 90s, 10m, 6h or 7d');
}
