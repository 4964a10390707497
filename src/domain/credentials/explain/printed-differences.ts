import type { CauseCode } from './cause';

/** In what one printing of a JSON value differs from another, and how it is said of the second. */
export interface PrintedDifference {
  readonly code: Extract<CauseCode, 'body-reserialised' | 'body-sorted' | 'body-escaped-unicode'>;
  readonly said: string;
}

// The end of the text ends a string too: a text without an end is walked once, not once for each of its quotes.
const literals = /"(?:[^"\\]|\\.)*(?:"|\\?$)/gs;

/** The differences between two texts that print the same value: blanks, order, escapes; only those that the texts do not share. */
export function printedDifferences(sent: string, signed: string): readonly PrintedDifference[] {
  const [before, after] = [featuresOf(sent), featuresOf(signed)];
  const differences: PrintedDifference[] = [];
  if (before.blanks !== after.blanks) differences.push({ code: 'body-reserialised', said: 'has its blanks in other places' });
  if (before.order !== after.order) differences.push({ code: 'body-sorted', said: 'has its members sorted' });
  if (before.escapes !== after.escapes) {
    const said = /\\u/.test(signed) ? 'spells characters as \\u escapes' : 'holds characters as themselves';
    differences.push({ code: 'body-escaped-unicode', said });
  }
  return differences;
}

interface Features {
  readonly blanks: string;
  readonly order: string;
  readonly escapes: string;
}

/** Each is one text that is equal where two printings do not differ in it, whatever else they differ in. */
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

/** `\u` escapes of characters that need none, as the characters. */
export const unescaped = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|.)/gs, (whole, digits: string | undefined) => {
    const code = digits === undefined ? 0 : parseInt(digits, 16);
    return code >= 0x20 && code !== 0x22 && code !== 0x5c ? String.fromCharCode(code) : whole;
  });
