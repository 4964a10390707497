import { JsonNumber, JsonObject, JsonSyntaxError, maxDepth, NulInString, type Json, type JsonArray, type ReadingRules } from './json';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads bytes. Throws JsonSyntaxError. */
export const readJson = (bytes: Uint8Array): Json => new Reader(textOf(bytes)).document();

/** A body of up to so many bytes is read at once. */
export const shortBody = 8_192;
/** Values read in one turn of the event loop. The costliest, arrays that hold one array each, take 2 ms on a slow core. */
const valuesPerTurn = 2_000;
/** Characters after which the turn ends as well, between two values: long strings. */
const charactersPerTurn = 65_536;

/**
 * Reads bytes as `readJson` does, those of a long body in several turns: a partner's body of 100,000 values must not hold up the calls of
 * others. `pause` lets other work run. Throws JsonSyntaxError.
 */
export async function readJsonInTurns(bytes: Uint8Array, pause: () => Promise<void>, rules: ReadingRules = {}): Promise<Json> {
  const { maxValues = Infinity, removesNul = false } = rules;
  const reader = new Reader(textOf(bytes), removesNul);
  if (bytes.length <= shortBody) return reader.document();
  while (reader.count < maxValues) {
    // Also before the first turn: many long bodies can arrive in one.
    await pause();
    const value = reader.read(valuesPerTurn, charactersPerTurn);
    if (value === undefined) continue;
    // The work on 50,000 values that follows gets a turn of its own.
    await pause();
    return value;
  }
  throw new JsonSyntaxError('Too many values', bytes.length);
}

/** Reads text, which can contain lone surrogates, unlike bytes. Throws JsonSyntaxError. */
export function readJsonText(text: string): Json {
  if (!text.isWellFormed()) throw new JsonSyntaxError('Lone surrogate', 0);
  return new Reader(text).document();
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new JsonSyntaxError('Invalid UTF-8', 0);
  }
}

const numberGrammar = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/**
 * A piece of a string with escapes. One expression over 500 of them takes a tenth of the time of one call each; an upper bound, as an
 * unbounded repetition fills the stack of the expression.
 */
const escaped = /(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u(?!0000)[0-9a-fA-F]{4})){1,500}/y;
const escapedOrNul = /(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,500}/y;

const noMembers: ReadonlyMap<string, Json> = new Map();
const noItems: JsonArray = [];

type Container = Json[] | Map<string, Json>;
/** Stands for an array until its first item is read: an empty array that grows takes memory for seventeen. */
const begun: Json[] = [];

/** Reads value after value, and so can stop after each. Requires well-formed text: its surrogates come in pairs. */
class Reader {
  /** Values begun. */
  count = 0;
  private at = 0;
  /** The containers around the next value, outermost first. */
  private readonly surrounding: Container[] = [];
  /** The name of the next member in each of them, '' in an array. */
  private readonly names: string[] = [];

  constructor(
    private readonly text: string,
    private readonly removesNul = false,
  ) {
    this.blanks();
  }

  /** Reads the rest. */
  document(): Json {
    for (;;) {
      const value = this.read(Infinity, Infinity);
      if (value !== undefined) return value;
    }
  }

  /** Reads up to so many values, and begins none after so many characters. Returns the document once it is read, `undefined` before. */
  read(values: number, characters: number): Json | undefined {
    const end = this.at + characters;
    for (const last = this.count + values; this.count < last && this.at <= end; this.count++) {
      let value = this.value();
      while (value !== undefined && this.surrounding.length > 0) value = this.put(value);
      if (value === undefined) continue;
      this.blanks();
      if (this.at < this.text.length) throw this.error('Unexpected text after the value');
      return value;
    }
    return undefined;
  }

  /** Reads a value, or the beginning of one that contains others: `undefined`. */
  private value(): Json | undefined {
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

  private object(): JsonObject | undefined {
    this.open();
    if (this.skip('}')) return new JsonObject(noMembers);
    const members = new Map<string, Json>();
    this.names.push(this.name(members));
    this.surrounding.push(members);
    return undefined;
  }

  private array(): JsonArray | undefined {
    this.open();
    if (this.skip(']')) return noItems;
    this.names.push('');
    this.surrounding.push(begun);
    return undefined;
  }

  private open(): void {
    if (this.surrounding.length === maxDepth) throw this.error('Nesting is too deep');
    this.at++;
    this.blanks();
  }

  private name(members: ReadonlyMap<string, Json>): string {
    if (this.text[this.at] !== '"') throw this.error('Expected a member name');
    const name = this.string();
    if (members.has(name)) throw this.error('Duplicate member name');
    this.blanks();
    if (!this.skip(':')) throw this.error('Expected a colon');
    this.blanks();
    return name;
  }

  /** Puts a value into its container. Returns the container where it ends, `undefined` where another value follows. */
  private put(value: Json): Json | undefined {
    const last = this.surrounding.length - 1;
    const container = this.surrounding[last]!;
    this.blanks();
    if (container instanceof Map) return this.putMember(container, value);
    if (container === begun) this.surrounding[last] = [value];
    else container.push(value);
    if (this.skip(',')) {
      this.blanks();
      return undefined;
    }
    if (!this.skip(']')) throw this.error('Expected a comma or the end of the array');
    this.names.pop();
    return this.surrounding.pop() as Json[];
  }

  private putMember(members: Map<string, Json>, value: Json): JsonObject | undefined {
    const last = this.names.length - 1;
    members.set(this.names[last]!, value);
    if (this.skip(',')) {
      this.blanks();
      this.names[last] = this.name(members);
      return undefined;
    }
    if (!this.skip('}')) throw this.error('Expected a comma or the end of the object');
    this.names.pop();
    this.surrounding.pop();
    return new JsonObject(members);
  }

  private string(): string {
    const from = ++this.at;
    this.plainRun();
    if (this.skip('"')) return this.text.slice(from, this.at - 1);
    while (!this.skip('"')) this.escapedRun();
    // The escapes are checked by now. A string of 100,000 of them takes a third to a tenth of the time that putting them together one by one takes.
    const value = JSON.parse(this.text.slice(from - 1, this.at)) as string;
    // Escapes can spell a lone surrogate. Checked on the whole value, as two escapes may spell a pair.
    if (!value.isWellFormed()) throw this.error('Lone surrogate in a string');
    return this.removesNul ? value.replaceAll('\0', '') : value;
  }

  /** Skips up to the next quote, backslash, control character or the end. */
  private plainRun(): void {
    const { text } = this;
    let { at } = this;
    // At the end of the text, the unit is NaN, so the first comparison is false.
    for (let unit = text.charCodeAt(at); unit >= 0x20 && unit !== 0x22 && unit !== 0x5c;) unit = text.charCodeAt(++at);
    this.at = at;
  }

  private escapedRun(): void {
    const piece = this.removesNul ? escapedOrNul : escaped;
    piece.lastIndex = this.at;
    if (!piece.test(this.text)) throw this.mistake();
    this.at = piece.lastIndex;
  }

  /** The mistake at this place, where a string must continue or end. */
  private mistake(): JsonSyntaxError {
    if (this.at === this.text.length) return this.error('Unterminated string');
    if (this.text[this.at] !== '\\') return this.error('Control character in a string');
    return this.text.startsWith('\\u0000', this.at) ? new NulInString(this.at) : this.error('Invalid escape');
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
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private blanks(): void {
    let unit = this.text.charCodeAt(this.at);
    while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) unit = this.text.charCodeAt(++this.at);
  }

  private error(what: string): JsonSyntaxError {
    return new JsonSyntaxError(what, this.at);
  }
}
