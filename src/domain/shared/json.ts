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

  /** This object with other values for some members, in their places, and further members at its end. Undefined changes nothing. */
  changedBy(changes: Readonly<Record<string, Json | undefined>>): JsonObject {
    return new JsonObject(new ChangedMembers(this.members, JsonObject.of(changes).members));
  }
}

/** Members of an object, changed and extended. Copies no map: a copy of 50,000 members takes 10 ms and, in garbage, 30 more. */
export class ChangedMembers implements ReadonlyMap<string, Json> {
  readonly names: readonly string[];
  readonly all: readonly Json[];

  constructor(
    private readonly before: ReadonlyMap<string, Json>,
    private readonly changes: ReadonlyMap<string, Json>,
  ) {
    const [names, all] = [[...before.keys()], [...before.values()]];
    for (const [name, value] of changes) {
      const at = before.has(name) ? names.indexOf(name) : names.length;
      names[at] = name;
      all[at] = value;
    }
    this.names = names;
    this.all = all;
  }

  get size(): number {
    return this.names.length;
  }

  has(name: string): boolean {
    return this.changes.has(name) || this.before.has(name);
  }

  get(name: string): Json | undefined {
    return this.changes.has(name) ? this.changes.get(name) : this.before.get(name);
  }

  keys(): MapIterator<string> {
    return this.names.values();
  }

  values(): MapIterator<Json> {
    return this.all.values();
  }

  entries(): MapIterator<[string, Json]> {
    return this.names.map((name, at): [string, Json] => [name, this.all[at]!]).values();
  }

  [Symbol.iterator](): MapIterator<[string, Json]> {
    return this.entries();
  }

  forEach(work: (value: Json, name: string, map: ReadonlyMap<string, Json>) => void): void {
    for (const [name, value] of this) work(value, name, this);
  }
}

/** Thrown for text that is not strict JSON; the message gives the problem and the offset, and quotes nothing. */
export class JsonSyntaxError extends Error {
  constructor(what: string, at: number) {
    super(`${what} at ${at}`);
    this.name = 'JsonSyntaxError';
  }
}

/** Thrown for a string that holds NUL, which no column of text can store. */
export class NulInString extends JsonSyntaxError {
  constructor(at: number) {
    super('NUL in a string', at);
  }
}

export interface ReadingRules {
  /** Values in a long body, to within 2,000. Absent: any number. */
  readonly maxValues?: number;
  /** Removes NUL from strings, instead of refusing it. */
  readonly removesNul?: boolean;
}

/** Maximum nesting of objects and arrays, including the outermost. */
export const maxDepth = 64;
