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
