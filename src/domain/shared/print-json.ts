import { byCodePoint } from './code-point-order';
import { JsonNumber, JsonObject, type Json, type JsonArray } from './json';

/** The form in which a partner wants JSON printed (contract/signatures#outbound-signatures). */
export interface JsonForm {
  /** A blank after each colon and comma. */
  readonly spaces?: boolean;
  /** Members sorted by code point, at every level. */
  readonly sortKeys?: boolean;
  /** Every character above U+007F as `\uXXXX`, in lower-case hex, those beyond U+FFFF as two (contract/signatures#settings). */
  readonly ascii?: boolean;
}

/** Prints UTF-8 text: numbers unchanged; escapes only quotes, backslashes and control characters, unless the form is ASCII. */
export function printJson(json: Json, { spaces = false, sortKeys = false, ascii = false }: JsonForm = {}): string {
  const pieces: string[] = [];
  print(json, { comma: spaces ? ', ' : ',', colon: spaces ? ': ' : ':', sortKeys, pieces });
  const text = pieces.join('');
  return ascii ? inAscii(text) : text;
}

/** Escapes all characters above U+007F of printed JSON: they stand in its strings and names only. */
export const inAscii = (printed: string): string =>
  printed.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Text that JSON prints without escapes. */
const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** Prints a text as JSON. Most texts need no escapes, and testing for that takes a third of the time of `JSON.stringify`. */
const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text));

interface Printing {
  readonly comma: string;
  readonly colon: string;
  readonly sortKeys: boolean;
  readonly pieces: string[];
}

/** Adds pieces to one list: texts made of texts take several times the memory. */
function print(json: Json, printing: Printing): void {
  const { pieces } = printing;
  if (json === null || typeof json === 'boolean') pieces.push(String(json));
  else if (typeof json === 'string') pieces.push(quoted(json));
  else if (json instanceof JsonNumber) pieces.push(json.text);
  else if (json instanceof JsonObject) printMembers(json, printing);
  else printItems(json, printing);
}

function printMembers(json: JsonObject, printing: Printing): void {
  const { comma, colon, sortKeys, pieces } = printing;
  const members = sortKeys ? [...json.members].sort(([a], [b]) => byCodePoint(a, b)) : json.members;
  let before = '{';
  for (const [name, value] of members) {
    pieces.push(before, quoted(name), colon);
    print(value, printing);
    before = comma;
  }
  pieces.push(before === comma ? '}' : '{}');
}

function printItems(json: JsonArray, printing: Printing): void {
  const { comma, pieces } = printing;
  let before = '[';
  for (const item of json) {
    pieces.push(before);
    print(item, printing);
    before = comma;
  }
  pieces.push(before === comma ? ']' : '[]');
}

/** Whether two values are equal: same members in any order, same number text. */
export function jsonEquals(a: Json | undefined, b: Json | undefined): boolean {
  return a && b ? printJson(a, { sortKeys: true }) === printJson(b, { sortKeys: true }) : a === b;
}
