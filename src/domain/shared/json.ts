/**
 * JSON that survives: members in order, numbers as the text they came with, nothing lost and nothing guessed.
 * Reading is strict (RFC 8259 in UTF-8, decisions §1): no duplicate names, no nesting over 64, no byte order mark, no
 * invalid UTF-8, no NUL and no lone surrogate in a string. No library does all of this; see docs/adr.
 */
export type Json = null | boolean | string | JsonNumber | JsonArray | JsonObject;
export type JsonArray = readonly Json[];

/** A number as its text, never as a binary float. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

/** An object with its members in the order in which they came. Names such as `__proto__` are plain names. */
export class JsonObject {
  constructor(readonly members: ReadonlyMap<string, Json>) {}

  /** From members named in code; those that are undefined are left out. */
  static of(members: Readonly<Record<string, Json | undefined>>): JsonObject {
    const kept = new Map<string, Json>();
    for (const [name, value] of Object.entries(members)) if (value !== undefined) kept.set(name, value);
    return new JsonObject(kept);
  }

  get(name: string): Json | undefined {
    return this.members.get(name);
  }
}

/** The text is not the JSON that we read; the message says what and where, and quotes nothing. */
export class JsonSyntaxError extends Error {
  constructor(what: string, at: number) {
    super(`${what} at ${at}`);
    this.name = 'JsonSyntaxError';
  }
}

/** Levels of objects and arrays that are read, the outermost included. */
export const maxDepth = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads bytes. Throws JsonSyntaxError. */
export function readJson(bytes: Uint8Array): Json {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new JsonSyntaxError('Invalid UTF-8', 0);
  }
  return readJsonText(text);
}

/** Reads text. Throws JsonSyntaxError. */
export function readJsonText(text: string): Json {
  return new Reader(text).document();
}

const numberGrammar = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
// A run of characters that stand for themselves: no quote, backslash, control character or surrogate.
const plainRun = /[^"\\\u0000-\u001f\ud800-\udfff]*/y;
const escapes: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

class Reader {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  document(): Json {
    this.blanks();
    const value = this.value();
    this.blanks();
    if (this.at < this.text.length) throw this.error('Unexpected text after the value');
    return value;
  }

  private value(): Json {
    switch (this.text[this.at]) {
      case '{':
        return this.object();
      case '[':
        return this.array();
      case '"':
        return this.string();
      case 't':
        return this.word('true', true);
      case 'f':
        return this.word('false', false);
      case 'n':
        return this.word('null', null);
      default:
        return this.number();
    }
  }

  private object(): JsonObject {
    const members = new Map<string, Json>();
    this.open();
    if (!this.skip('}')) {
      do {
        this.blanks();
        if (this.text[this.at] !== '"') throw this.error('Expected a member name');
        const name = this.string();
        if (members.has(name)) throw this.error('Duplicate member name');
        this.blanks();
        if (!this.skip(':')) throw this.error('Expected a colon');
        this.blanks();
        members.set(name, this.value());
        this.blanks();
      } while (this.skip(','));
      if (!this.skip('}')) throw this.error('Expected a comma or the end of the object');
    }
    this.depth--;
    return new JsonObject(members);
  }

  private array(): JsonArray {
    const items: Json[] = [];
    this.open();
    if (!this.skip(']')) {
      do {
        this.blanks();
        items.push(this.value());
        this.blanks();
      } while (this.skip(','));
      if (!this.skip(']')) throw this.error('Expected a comma or the end of the array');
    }
    this.depth--;
    return items;
  }

  private open(): void {
    if (++this.depth > maxDepth) throw this.error('Nesting is too deep');
    this.at++;
    this.blanks();
  }

  private string(): string {
    let value = '';
    this.at++;
    for (;;) {
      plainRun.lastIndex = this.at;
      plainRun.test(this.text);
      value += this.text.slice(this.at, plainRun.lastIndex);
      this.at = plainRun.lastIndex;
      const next = this.text[this.at];
      if (next === '"') break;
      if (next === '\\') value += this.escape();
      else if (next !== undefined && next >= '\ud800') value += this.text[this.at++];
      else throw this.error(next === undefined ? 'Unterminated string' : 'Control character in a string');
    }
    this.at++;
    // Escapes can spell what raw text cannot: half a pair. Judged on the whole value, as pairs may be spelt in two escapes.
    if (!value.isWellFormed()) throw this.error('Lone surrogate in a string');
    return value;
  }

  private escape(): string {
    const letter = this.text[this.at + 1];
    if (letter === 'u') {
      const digits = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.error('Invalid escape');
      if (digits === '0000') throw this.error('NUL in a string');
      this.at += 6;
      return String.fromCharCode(parseInt(digits, 16));
    }
    const character = letter === undefined ? undefined : escapes[letter];
    if (character === undefined) throw this.error('Invalid escape');
    this.at += 2;
    return character;
  }

  private number(): JsonNumber {
    numberGrammar.lastIndex = this.at;
    const found = numberGrammar.exec(this.text);
    if (!found) throw this.error('Unexpected text');
    this.at = numberGrammar.lastIndex;
    return new JsonNumber(found[0]);
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) throw this.error('Unexpected text');
    this.at += word.length;
    return value;
  }

  private skip(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private blanks(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  private error(what: string): JsonSyntaxError {
    return new JsonSyntaxError(what, this.at);
  }
}

/** How a partner wants JSON printed (decisions §4, payload form). */
export interface JsonForm {
  /** A blank after each colon and comma. */
  readonly spaces?: boolean;
  /** Members sorted by code point, at every level. */
  readonly sortKeys?: boolean;
}

const compact: JsonForm = {};

/** Prints as UTF-8 text: numbers as they came, nothing but quotes, backslashes and control characters escaped. */
export function printJson(json: Json, form: JsonForm = compact): string {
  if (json === null || typeof json === 'boolean') return String(json);
  if (typeof json === 'string') return JSON.stringify(json);
  if (json instanceof JsonNumber) return json.text;
  const comma = form.spaces ? ', ' : ',';
  if (json instanceof JsonObject) {
    const colon = form.spaces ? ': ' : ':';
    const members = form.sortKeys ? [...json.members].sort(([a], [b]) => byCodePoint(a, b)) : json.members;
    let text = '';
    for (const [name, value] of members) text += `${text && comma}${JSON.stringify(name)}${colon}${printJson(value, form)}`;
    return `{${text}}`;
  }
  return `[${json.map((item) => printJson(item, form)).join(comma)}]`;
}

/** UTF-16 order puts surrogates before U+E000 to U+FFFF; code point order does not. */
function byCodePoint(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  for (let i = 0; i < left.length && i < right.length; i++) {
    const difference = left[i]!.codePointAt(0)! - right[i]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** The same value: same members whatever their order, same number text. */
export function jsonEquals(a: Json | undefined, b: Json | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return printJson(a, { sortKeys: true }) === printJson(b, { sortKeys: true });
}
