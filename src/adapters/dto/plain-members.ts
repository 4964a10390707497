import { JsonNumber, JsonObject } from '../../domain/shared/json';
import { sealed } from './as-sent';
import { declaredMembers } from './declared-members';
import type { DtoClass, NestedType } from './rule';

/** An untrusted object: parsed JSON or a plain object. */
export type SourceObject = JsonObject | Readonly<Record<string, unknown>>;

/** The members that class-transformer gets: the declared ones, or all, so that class-validator can refuse the others. */
export type MemberScope = 'declared' | 'all';

/**
 * The input of class-transformer for a DTO: a plain object of the sent members without `null` values. Nested objects become plain objects
 * too; all other values pass unchanged. Members named `__proto__` or `constructor` are never read.
 */
export function plainMembers(Dto: DtoClass, source: SourceObject, scope: MemberScope): Record<string, unknown> {
  const plain: Record<string, unknown> = scope === 'all' ? undeclared(Dto, source) : {};
  for (const { name, nested } of declaredMembers(Dto)) {
    const value = valueOf(source, name);
    if (value !== undefined && value !== null) plain[name] = nested ? plainNested(nested, value, scope) : sealed(value);
  }
  return plain;
}

const valueOf = (source: SourceObject, name: string): unknown => {
  if (source instanceof JsonObject) return source.get(name);
  return Object.hasOwn(source, name) ? source[name] : undefined;
};

/** The names of undeclared members; class-validator refuses them whatever their value. */
function undeclared(Dto: DtoClass, source: SourceObject): Record<string, unknown> {
  const names = [...(source instanceof JsonObject ? source.members.keys() : Object.keys(source))];
  const declared = new Set(declaredMembers(Dto).map(({ name }) => name));
  return Object.fromEntries(names.filter((name) => !declared.has(name)).map((name) => [name, true]));
}

/**
 * Replaces a value that should be an object: class-transformer would make an instance from a list or JsonNumber. The rule refuses `false`.
 */
const noObject = false;

function plainNested({ type, maxItems }: NestedType, value: unknown, scope: MemberScope): unknown {
  const plainItem = (item: unknown): unknown => (isObject(item) ? plainMembers(type(), item, scope) : noObject);
  if (maxItems === undefined) return plainItem(value);
  // One item over the limit is enough for the rule to refuse the list.
  return Array.isArray(value) ? value.slice(0, maxItems + 1).map(plainItem) : noObject;
}

const isObject = (value: unknown): value is SourceObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
