import { JsonNumber, JsonObject, type Json } from '../../../../domain/shared/json';
import type { FieldProblem } from '../../../../domain/shared/errors';

/** JSON as class-transformer and class-validator know it. Settings hold no number that a double could harm. */
export type Plain = null | boolean | number | string | Plain[] | PlainObject;
export interface PlainObject {
  [name: string]: Plain;
}

export const isPlainObject = (value: unknown): value is PlainObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What every object inherits: no setting has such a name, and class-transformer follows some and drops others without a word. */
const poisonous: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** No object of settings has as many members, and no body as many values: class-transformer takes time for each that it does not know. */
const [mostMembers, mostValues] = [200, 10_000];

/** Plain objects without a prototype; members with a poisonous name, and members beyond the limit, are reported and left out. */
export function plainOf(json: JsonObject): { plain: PlainObject; problems: readonly FieldProblem[] } {
  const conversion = new Conversion();
  return { plain: conversion.members(json, ''), problems: conversion.problems };
}

class Conversion {
  readonly problems: FieldProblem[] = [];
  private values = 0;

  members(object: JsonObject, path: string): PlainObject {
    const plain = emptyObject();
    if (object.members.size > mostMembers) {
      this.problems.push({ path, rule: `must have at most ${mostMembers} members` });
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
    if (++this.values > mostValues) {
      if (this.values === mostValues + 1) this.problems.push({ path, rule: `is one of more than ${mostValues} values` });
      return null;
    }
    if (value instanceof JsonNumber) return Number(value.text);
    if (value instanceof JsonObject) return this.members(value, path);
    if (Array.isArray(value)) return value.map((item, i) => this.convert(item as Json, `${path}[${String(i)}]`));
    return value as null | boolean | string;
  }
}

/** RFC 7396: the target after the patch; neither is changed. A null removes a member. */
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
