import { JsonNumber, type Json } from './json';
import { withoutTrailing } from './without-ends';

/** The limits of a decimal; `min` and `max` are decimals in plain notation, both included. */
export interface DecimalRules {
  /** Maximum digits in all, before and after the point; default 20. */
  readonly digits?: number;
  /** Maximum digits after the point; default 2. */
  readonly scale?: number;
  readonly min?: string;
  readonly max?: string;
  /** Whether values below zero are allowed; default false. */
  readonly allowNegative?: boolean;
}

// A text may be padded with zeros (contract/conventions#decimals); a JSON number cannot be.
const plainGrammar = /^(-?)([0-9]+)(?:\.([0-9]+))?$/;
const numberGrammar = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
/** Maximum length of a decimal (contract/conventions#decimals): a longer text is refused without parsing. */
const maxTextLength = 64;

/** A value as ±0.d₁d₂…dₙ × 10^point, without zeros at either end of the digits; zero has no digits. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly point: number;
}

/**
 * Why `json` is no decimal within the rules, or `undefined`: a string in plain notation, or a JSON number, which may have an exponent. The
 * value is checked, not its notation: `1.10` has one digit after the point, `1e2` has three digits. Nothing is converted to a float.
 * Source: contract/conventions#decimals.
 */
export function decimalProblem(json: Json, rules: DecimalRules = {}): string | undefined {
  if (textOf(json).length > maxTextLength) return `at most ${maxTextLength} characters`;
  const decimal = readDecimal(json);
  if (!decimal) return 'must be a decimal';
  const { digits = 20, scale = 2, min, max, allowNegative = false } = rules;
  if (decimal.negative && !allowNegative) return 'must not be negative';
  const before = Math.max(0, decimal.point);
  const after = Math.max(0, decimal.digits.length - decimal.point);
  if (after > scale) return `at most ${scale} digits after the point`;
  if (before + after > digits) return `at most ${digits} digits`;
  if (min !== undefined && compare(decimal, bound(min)) < 0) return `at least ${min}`;
  if (max !== undefined && compare(decimal, bound(max)) > 0) return `at most ${max}`;
  return undefined;
}

/**
 * Why `json` is no quantity, or `undefined`: a decimal with a whole value, from 0 to 2147483647. `2`, `2.0`, `1e0` and `"2"` are whole.
 * Source: contract/conventions#decimals.
 */
export function quantityProblem(json: Json): string | undefined {
  const problem = decimalProblem(json, { digits: 10, scale: 0, min: '0', max: String(maxQuantity) });
  if (problem === 'must be a decimal' || problem?.endsWith('after the point')) return 'must be a whole number';
  return problem?.endsWith(' digits') ? `at most ${maxQuantity}` : problem;
}

/** The largest quantity: the maximum of a signed 32-bit integer. */
export const maxQuantity = 2_147_483_647;

/**
 * The value in plain notation without padding, the same text for equal values: `1.10` and `"1.1"` give `1.1`, `1E2` gives `100`.
 * `undefined` for text that is no decimal, or has an exponent beyond every decimal within the rules.
 */
export function plainDecimal(json: Json): string | undefined {
  const decimal = readDecimal(json);
  if (!decimal) return undefined;
  const { negative, digits, point } = decimal;
  if (Math.abs(point) > maxTextLength) return undefined;
  const whole = digits.slice(0, Math.max(0, point)).padEnd(point, '0') || '0';
  const fraction = '0'.repeat(Math.max(0, -point)) + digits.slice(Math.max(0, point));
  return `${negative ? '-' : ''}${whole}${digits.length > point && digits !== '' ? `.${fraction}` : ''}`;
}

/** The text of a number or string; empty for anything else. */
const textOf = (json: Json): string => (json instanceof JsonNumber ? json.text : typeof json === 'string' ? json : '');

function readDecimal(json: Json): Decimal | undefined {
  const text = textOf(json);
  if (text.length > maxTextLength) return undefined;
  const found = (json instanceof JsonNumber ? numberGrammar : plainGrammar).exec(text);
  if (!found) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = found;
  const written = whole + fraction;
  const digits = written.replace(/^0+/, '');
  if (digits === '') return { negative: false, digits: '', point: 0 };
  // Digits (fewer than 64) cannot compensate an exponent beyond the safe integers: the value stays far outside every rule.
  const point = whole.length + Number(exponent) - (written.length - digits.length);
  return { negative: sign === '-', digits: withoutTrailing(digits, '0'), point };
}

function bound(text: string): Decimal {
  const decimal = readDecimal(text);
  if (!decimal) throw new TypeError(`Not a decimal: ${text}`);
  return decimal;
}

/** Returns a number below, at or above zero, as `a` is less than, equal to or greater than `b`. */
function compare(a: Decimal, b: Decimal): number {
  const signs = signOf(a) - signOf(b);
  if (signs !== 0 || signOf(a) === 0) return signs;
  const size = a.point - b.point || (a.digits === b.digits ? 0 : a.digits < b.digits ? -1 : 1);
  return a.negative ? -size : size;
}

const signOf = ({ negative, digits }: Decimal): number => (digits === '' ? 0 : negative ? -1 : 1);
