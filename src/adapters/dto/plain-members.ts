import { JsonNumber, JsonObject } from '../../domain/shared/json';
import { sealed } from './as-sent';
import { declaredMembers } from './declared-members';
import type { DtoClass, NestedType } from './rule';

/** An object that a stranger sent: JSON as it was read, or a plain object. */
export type SourceObject = JsonObject | Readonly<Record<string, unknown>>;

/** Which members class-transformer gets: those that the class declares, or all, so that class-validator can refuse the others. */
export type MemberScope = 'declared' | 'all';

/**
 * What class-transformer makes a DTO of: a plain object of the members that were sent, `null` left out. Nested objects are plain
 * objects too; any other value is handed on as it was sent. Members named `__proto__` or `constructor` are never read.
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

/** The members that the class does not declare, by name: class-validator refuses them whatever they hold. */
function undeclared(Dto: DtoClass, source: SourceObject): Record<string, unknown> {
  const names = [...(source instanceof JsonObject ? source.members.keys() : Object.keys(source))];
  const declared = new Set(declaredMembers(Dto).map(({ name }) => name));
  return Object.fromEntries(names.filter((name) => !declared.has(name)).map((name) => [name, true]));
}

/** Replaces what should be an object and is none: class-transformer would make an instance of a list or JsonNumber. Refused by the rule. */
const noObject = false;

function plainNested({ type, maxItems }: NestedType, value: unknown, scope: MemberScope): unknown {
  const plainItem = (item: unknown): unknown => (isObject(item) ? plainMembers(type(), item, scope) : noObject);
  if (maxItems === undefined) return plainItem(value);
  // One item too many is enough for the list to be refused.
  return Array.isArray(value) ? value.slice(0, maxItems + 1).map(plainItem) : noObject;
}

const isObject = (value: unknown): value is SourceObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
