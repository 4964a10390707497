import { byCodePoint } from './code-point-order';
import { joinedBytes } from './joined-bytes';
import { ChangedMembers, JsonNumber, JsonObject, type Json } from './json';

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
export function printJson(json: Json, form: JsonForm = {}): string {
  const printed = new Printer(json, form).printAll();
  return form.ascii === true ? inAscii(printed) : printed;
}

const [encoder, decoder] = [new TextEncoder(), new TextDecoder('utf-8', { ignoreBOM: true })];

/** Values in a piece. */
const valuesPerPiece = 2_000;
/** Characters after which a piece ends. */
const charactersPerPiece = 32_768;
/** Characters escaped in one turn. */
const escapedPerTurn = 8_192;

/** Prints as `printJson` does, piece after piece, so that a caller can stop between two. */
export function* printedPieces(json: Json): Generator<string> {
  const printer = new Printer(json, {});
  do yield printer.print();
  while (!printer.isDone);
}

/** Prints as `printJson` does, but many values in several turns of the event loop. `pause` lets other work run. */
export async function printJsonInTurns(json: Json, form: JsonForm, pause: () => Promise<void>): Promise<string> {
  const printer = new Printer(json, form);
  const first = printer.print();
  const text = printer.isDone ? first : await textInTurns(first, printer, pause);
  return form.ascii === true ? inAsciiInTurns(text, pause) : text;
}

/** The text from `first` to the end. Kept as bytes until then: V8 copies a sum of many texts only when it is read, all in one turn. */
async function textInTurns(first: string, printer: Printer, pause: () => Promise<void>): Promise<string> {
  const pieces = [encoder.encode(first)];
  while (!printer.isDone) {
    await pause();
    pieces.push(encoder.encode(printer.print()));
  }
  return decoder.decode(joinedBytes(pieces));
}

/** Escapes all characters above U+007F of printed JSON: they stand in its strings and names only. */
export const inAscii = (printed: string): string =>
  printed.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** As `inAscii`, a long text in several turns. */
export async function inAsciiInTurns(printed: string, pause: () => Promise<void>): Promise<string> {
  if (printed.length <= escapedPerTurn) return inAscii(printed);
  const pieces: string[] = [];
  for (let at = 0; at < printed.length; at += escapedPerTurn) {
    await pause();
    pieces.push(inAscii(printed.slice(at, at + escapedPerTurn)));
  }
  return pieces.join('');
}

/** Text that JSON prints without escapes. */
const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** Prints a text as JSON. Most texts need no escapes, and testing for that takes a third of the time of `JSON.stringify`. */
export const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text));

/** Bytes of a text in UTF-8, printed as JSON. */
export const bytesOfQuoted = (text: string): number => (plain.test(text) ? text.length + 2 : encoder.encode(JSON.stringify(text)).length);

/** A container that is not printed to its end. */
interface Open {
  /** Absent: an array. */
  readonly names: readonly string[] | undefined;
  readonly values: readonly Json[];
  /** Index of the next value. */
  next: number;
}

/** Prints value after value, and so can stop after each. */
class Printer {
  private text = '';
  /** Values printed, and names sorted, since the last piece. */
  private count = 0;
  /** The containers around the next value, outermost first. */
  private readonly surrounding: Open[] = [];
  private readonly comma: string;
  private readonly colon: string;
  private readonly sortKeys: boolean;

  constructor(json: Json, { spaces = false, sortKeys = false }: JsonForm) {
    this.comma = spaces ? ', ' : ',';
    this.colon = spaces ? ': ' : ':';
    this.sortKeys = sortKeys;
    this.value(json);
  }

  get isDone(): boolean {
    return this.surrounding.length === 0;
  }

  /** Prints the next piece, and returns its text. */
  print(): string {
    return this.printUpTo(valuesPerPiece, charactersPerPiece);
  }

  printAll(): string {
    return this.printUpTo(Infinity, Infinity);
  }

  /** Prints up to so many values and ends of containers, and no value after so many characters. */
  private printUpTo(values: number, characters: number): string {
    for (this.count = 0; this.count < values && !this.isDone; this.count++) {
      const open = this.surrounding[this.surrounding.length - 1]!;
      if (this.text.length >= characters && open.next < open.values.length) break;
      this.next(open);
    }
    const { text } = this;
    this.text = '';
    return text;
  }

  private next(open: Open): void {
    const { names, values, next } = open;
    if (next === values.length) {
      this.text += names === undefined ? ']' : '}';
      this.surrounding.pop();
      return;
    }
    open.next = next + 1;
    if (next > 0) this.text += this.comma;
    if (names !== undefined) {
      this.text += quoted(names[next]!);
      this.text += this.colon;
    }
    this.value(values[next]!);
  }

  private value(json: Json): void {
    if (json === null || typeof json === 'boolean') this.text += String(json);
    else if (typeof json === 'string') this.text += quoted(json);
    else if (json instanceof JsonNumber) this.text += json.text;
    else if (json instanceof JsonObject) this.object(json);
    else {
      this.text += '[';
      this.surrounding.push({ names: undefined, values: json, next: 0 });
    }
  }

  private object({ members }: JsonObject): void {
    this.text += '{';
    if (this.sortKeys) {
      const names = this.sorted([...members.keys()]);
      this.surrounding.push({ names, values: names.map((name) => members.get(name) ?? null), next: 0 });
    } else if (members instanceof ChangedMembers) this.surrounding.push({ names: members.names, values: members.all, next: 0 });
    else this.surrounding.push({ names: [...members.keys()], values: [...members.values()], next: 0 });
  }

  private sorted(names: string[]): string[] {
    this.count += names.length;
    return names.sort(byCodePoint);
  }
}

/** Whether two values are equal: same members in any order, same number text. */
export function jsonEquals(a: Json | undefined, b: Json | undefined): boolean {
  if (a instanceof JsonNumber) return b instanceof JsonNumber && a.text === b.text;
  if (a instanceof JsonObject) return b instanceof JsonObject && haveEqualMembers(a.members, b.members);
  if (!Array.isArray(a)) return a === b;
  if (!Array.isArray(b) || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!jsonEquals(a[i] as Json, b[i] as Json)) return false;
  return true;
}

function haveEqualMembers(a: ReadonlyMap<string, Json>, b: ReadonlyMap<string, Json>): boolean {
  if (a.size !== b.size) return false;
  for (const [name, value] of a) if (!jsonEquals(value, b.get(name))) return false;
  return true;
}
