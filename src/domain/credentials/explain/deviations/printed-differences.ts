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

/** `\\u` escapes of a text; an escaped backslash begins none. */
const escapes = /\\(?:u([0-9a-fA-F]{4})|.)/gs;

/** The difference in escapes, as a part of "The payload in your signed text …; the body that you sent is not so.". */
export function escapesPhrase(sent: string, signed: string): string {
  const [before, after] = [digitsIn(sent), digitsIn(signed)];
  if (after === '') return 'holds characters as themselves';
  const digits = /[A-F]/.test(after) ? ' with capital digits' : '';
  const sameButForCase = before !== after && before.toLowerCase() === after.toLowerCase();
  if (sameButForCase && digits === '') return 'spells its \\u escapes with small digits';
  return `spells characters as \\u escapes${digits}`;
}

const digitsIn = (text: string): string => [...text.matchAll(escapes)].map(([, digits = '']) => digits).join('');

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

/** Replaces unnecessary `\u` escapes by their characters. */
export const unescaped = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|.)/gs, (whole, digits: string | undefined) => {
    const code = digits === undefined ? 0 : parseInt(digits, 16);
    return code >= 0x20 && code !== 0x22 && code !== 0x5c ? String.fromCharCode(code) : whole;
  });
