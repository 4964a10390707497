import type { CauseCode } from '../cause';

/** A difference between two printed forms of a JSON value, and a phrase about the second. */
export interface PrintedDifference {
  readonly code: Extract<CauseCode, 'body-reserialised' | 'body-sorted' | 'body-escaped-unicode'>;
  readonly phrase: string;
}

// The end of the text also ends a string, so that a text with an unclosed string is scanned once, not once per quote.
const literals = /"(?:[^"\\]|\\.)*(?:"|\\?$)/gs;

/** The differences between two texts of the same value: blanks, order, escapes. */
export function printedDifferences(sent: string, signed: string): readonly PrintedDifference[] {
  const [before, after] = [featuresOf(sent), featuresOf(signed)];
  const differences: PrintedDifference[] = [];
  if (before.blanks !== after.blanks) differences.push({ code: 'body-reserialised', phrase: 'has its blanks in other places' });
  if (before.order !== after.order) differences.push({ code: 'body-sorted', phrase: 'has its members sorted' });
  if (before.escapes !== after.escapes) {
    differences.push({ code: 'body-escaped-unicode', phrase: escapesPhrase(sent, signed) });
  }
  return differences;
}

/** The difference in escapes, as a part of "The payload in your signed text …; the body that you sent is not so". */
export function escapesPhrase(sent: string, signed: string): string {
  const [before, after] = [escapesIn(sent), escapesIn(signed)];
  const added = without(after, before);
  if (added.length === 0) return 'holds characters as themselves';
  if (/[A-F]/.test(added.join())) return 'spells characters as \\u escapes with capital digits';
  const removed = without(before, after).map((digits) => digits.toLowerCase());
  return without(added, removed).length === 0 ? 'spells its \\u escapes with small digits' : 'spells characters as \\u escapes';
}

/** The digits of all `\u` escapes that are not necessary. */
const escapesIn = (text: string): string[] =>
  [...text.matchAll(escapes)].flatMap(([, digits]) => (digits !== undefined && isUnnecessary(parseInt(digits, 16)) ? [digits] : []));

/** The items without as many equal ones as there are in `others`. */
function without(items: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1);
  return items.filter((item) => {
    const count = left.get(item) ?? 0;
    left.set(item, count - 1);
    return count <= 0;
  });
}

interface Features {
  readonly blanks: string;
  readonly order: string;
  readonly escapes: string;
}

/** Each feature is a text that is equal where two printed forms agree in it, whatever else differs. */
function featuresOf(text: string): Features {
  const strings = text.match(literals) ?? [];
  const skeleton = text.replace(literals, '"');
  const gaps = [...skeleton.matchAll(/[{}[\]:,]\s*/g)].map(([gap]) => gap).sort();
  const leading = [...skeleton.matchAll(/(\s+)([}\]:,]?)/g)].flatMap(([, gap = '', mark]) => (mark === '' ? [] : [gap])).sort();
  return {
    blanks: JSON.stringify([gaps, leading]),
    order: JSON.stringify(strings.map(unescaped)),
    escapes: JSON.stringify([...strings].sort(byValue)),
  };
}

const byValue = (a: string, b: string): number => compare(unescaped(a), unescaped(b)) || compare(a, b);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Escapes of a text, with the digits of `\u` escapes; an escaped backslash begins none. */
const escapes = /\\(?:u([0-9a-fA-F]{4})|.)/gs;

/** Whether JSON may hold the character as itself. */
const isUnnecessary = (code: number): boolean => code >= 0x20 && code !== 0x22 && code !== 0x5c;

/** Replaces unnecessary `\u` escapes by their characters. */
export const unescaped = (text: string): string =>
  text.replace(escapes, (whole, digits: string | undefined) => {
    const code = digits === undefined ? 0 : parseInt(digits, 16);
    return isUnnecessary(code) ? String.fromCharCode(code) : whole;
  });
