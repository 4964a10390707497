import { JsonNumber, JsonObject, type Json } from '../../../../../domain/shared/json';
import type { FieldProblem } from '../../../../../domain/shared/errors';

/** JSON for class-transformer and class-validator. Settings hold no numbers that would lose digits as doubles. */
export type Plain = null | boolean | number | string | Plain[] | PlainObject;
export interface PlainObject {
  [name: string]: Plain;
}

export const isPlainObject = (value: unknown): value is PlainObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names that every object inherits. No setting has such a name, and class-transformer follows some of them and silently drops others. */
const poisonous: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Well above any valid body: class-transformer spends time on every member that it does not know. */
const [maxMembers, maxValues] = [200, 10_000];

/** Converts to plain objects without a prototype. Leaves out and reports members with a poisonous name and members over the limit. */
export function plainOf(json: JsonObject): { plain: PlainObject; problems: readonly FieldProblem[] } {
  const conversion = new Conversion();
  return { plain: conversion.members(json, ''), problems: conversion.problems };
}

class Conversion {
  readonly problems: FieldProblem[] = [];
  private values = 0;

  members(object: JsonObject, path: string): PlainObject {
    const plain = emptyObject();
    if (object.members.size > maxMembers) {
      this.problems.push({ path, rule: `must have at most ${maxMembers} members` });
      return plain;
    }
    for (const [name, value] of object.members) {
      const at = path ? `${path}.${name}` : name;
      if (poisonous.has(name)) this.problems.push({ path: at, rule: 'unknown member' });
      else plain[name] = this.convert(value, at);
    }
    return plain;
  }

  private convert(value: Json, path: string): Plain {
    if (++this.values > maxValues) {
      if (this.values === maxValues + 1) this.problems.push({ path, rule: `is one of more than ${maxValues} values` });
      return null;
    }
    if (value instanceof JsonNumber) return Number(value.text);
    if (value instanceof JsonObject) return this.members(value, path);
    if (Array.isArray(value)) return value.map((item, i) => this.convert(item as Json, `${path}[${String(i)}]`));
    return value as null | boolean | string;
  }
}

/** RFC 7396: the patched target; the arguments do not change. A null removes a member. */
export function mergePatch(target: Plain | undefined, patch: Plain): Plain {
  if (!isPlainObject(patch)) return patch;
  const merged = Object.assign(emptyObject(), isPlainObject(target) ? target : {});
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

const emptyObject = (): PlainObject => Object.create(null) as PlainObject;

/** What the description says of a call that takes a merge patch. */
export const patchDetails =
  'A merge patch (RFC 7396): what is named is changed, `null` takes it away, lists are replaced whole. What a GET shows may be sent back. Every member that breaks a rule is named.';
