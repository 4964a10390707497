/**
 * Lossless JSON: members in order, numbers as the text that was received. Reading is strict (RFC 8259 in UTF-8,
 * contract/conventions#bodies): no duplicate names, no nesting over 64, no byte order mark, no invalid UTF-8, no NUL and no lone surrogate
 * in a string. No library does all of this; see docs/adr.
 */
export type Json = null | boolean | string | JsonNumber | JsonArray | JsonObject;
export type JsonArray = readonly Json[];

/** A number as its text, never as a binary float. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

/** An object with its members in their original order. Names such as `__proto__` have no special meaning. */
export class JsonObject {
  constructor(readonly members: ReadonlyMap<string, Json>) {}

  /** Makes an object of members named in code, without those that are undefined. */
  static of(members: Readonly<Record<string, Json | undefined>>): JsonObject {
    const kept = new Map<string, Json>();
    for (const name in members) if (members[name] !== undefined) kept.set(name, members[name]);
    return new JsonObject(kept);
  }

  get(name: string): Json | undefined {
    return this.members.get(name);
  }
}

/** Thrown for text that is not strict JSON; the message gives the problem and the offset, and quotes nothing. */
export class JsonSyntaxError extends Error {
  constructor(what: string, at: number) {
    super(`${what} at ${at}`);
    this.name = 'JsonSyntaxError';
  }
}

/** Maximum nesting of objects and arrays, including the outermost. */
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
  return new Reader(text).document();
}

/** Reads text, which can contain lone surrogates, unlike bytes. Throws JsonSyntaxError. */
export function readJsonText(text: string): Json {
  if (!text.isWellFormed()) throw new JsonSyntaxError('Lone surrogate', 0);
  return new Reader(text).document();
}

const numberGrammar = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const escapes: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const noMembers: ReadonlyMap<string, Json> = new Map();
const noItems: JsonArray = [];

/** Requires well-formed text: its surrogates come in pairs. */
class Reader {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  document(): Json {
    this.blanks();
    const value = this.value();
    this.blanks();
    if (this.at === this.text.length) return value;
    throw this.error('Unexpected text after the value');
  }

  private value(): Json {
    switch (this.text[this.at]) {
      case '"':
        return this.string();
      case '{':
        return this.object();
      case '[':
        return this.array();
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
    this.open();
    const isEmpty = this.skip('}');
    const members = isEmpty ? noMembers : this.members();
    this.depth--;
    return new JsonObject(members);
  }

  private members(): ReadonlyMap<string, Json> {
    const members = new Map<string, Json>();
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
    return members;
  }

  private array(): JsonArray {
    this.open();
    const isEmpty = this.skip(']');
    const items = isEmpty ? noItems : this.items();
    this.depth--;
    return items;
  }

  private items(): JsonArray {
    // Made with its first item: an empty array that grows takes memory for seventeen.
    const items: Json[] = [this.value()];
    this.blanks();
    while (this.skip(',')) {
      this.blanks();
      items.push(this.value());
      this.blanks();
    }
    if (!this.skip(']')) throw this.error('Expected a comma or the end of the array');
    return items;
  }

  private open(): void {
    if (++this.depth > maxDepth) throw this.error('Nesting is too deep');
    this.at++;
    this.blanks();
  }

  private string(): string {
    this.at++;
    let value = this.plainRun();
    let spelt = false;
    for (let next = this.text[this.at]; next !== '"'; next = this.text[this.at]) {
      if (next !== '\\') throw this.error(next === undefined ? 'Unterminated string' : 'Control character in a string');
      value += this.escape() + this.plainRun();
      spelt = true;
    }
    this.at++;
    // Escapes can spell a lone surrogate. Checked on the whole value, as two escapes may spell a pair.
    if (spelt && !value.isWellFormed()) throw this.error('Lone surrogate in a string');
    return value;
  }

  /** Reads up to the next quote, backslash, control character or the end. */
  private plainRun(): string {
    const { text, at: from } = this;
    let at = from;
    // At the end of the text, the unit is NaN, so the first comparison is false.
    for (let unit = text.charCodeAt(at); unit >= 0x20 && unit !== 0x22 && unit !== 0x5c;) unit = text.charCodeAt(++at);
    this.at = at;
    return text.slice(from, at);
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
    const character = escapes[letter ?? ''];
    if (character === undefined) throw this.error('Invalid escape');
    this.at += 2;
    return character;
  }

  private number(): JsonNumber {
    const from = this.at;
    numberGrammar.lastIndex = from;
    if (!numberGrammar.test(this.text)) throw this.error('Unexpected text');
    this.at = numberGrammar.lastIndex;
    return new JsonNumber(this.text.slice(from, this.at));
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) throw this.error('Unexpected text');
    this.at += word.length;
    return value;
  }

  private skip(character: string): boolean {
    const found = this.text[this.at] === character;
    if (found) this.at++;
    return found;
  }

  private blanks(): void {
    let unit = this.text.charCodeAt(this.at);
    while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) unit = this.text.charCodeAt(++this.at);
  }

  private error(what: string): JsonSyntaxError {
    return new JsonSyntaxError(what, this.at);
  }
}
