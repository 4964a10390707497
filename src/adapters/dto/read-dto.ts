import type { FieldProblem } from '../../domain/shared/errors';
import { JsonObject, type Json } from '../../domain/shared/json';
import { membersOf, type Member } from './members';
import type { DtoClass, NestedType } from './nested';

/** What was read: the declared members, and every rule that one of them breaks (one for each, in the order declared). */
export interface Reading<T> {
  readonly dto: T;
  readonly problems: FieldProblem[];
}

/**
 * Reads the members that `Dto` declares out of a stranger's JSON, and nothing else: a member named `constructor` or `__proto__`
 * is never looked at. `null` counts as absent. Values stay as they came (`string`, `boolean`, JsonNumber, JsonObject), but
 * ids become text; members declared with `@Nested` or `@NestedList` become instances of their classes. A DTO with problems is not to be used.
 */
export function readDto<T extends object>(Dto: DtoClass<T>, json: JsonObject): Reading<T> {
  const problems: FieldProblem[] = [];
  return { dto: hydrate(Dto, json, '', problems), problems };
}

function hydrate<T extends object>(Dto: DtoClass<T>, json: JsonObject, prefix: string, problems: FieldProblem[]): T {
  const dto = new Dto();
  for (const member of membersOf(Dto)) {
    const value = json.get(member.name);
    if (value === undefined || value === null) {
      if (member.required) problems.push({ path: prefix + member.name, rule: 'required' });
      continue;
    }
    const rule = brokenRule(member, value);
    if (rule !== undefined) problems.push({ path: prefix + member.name, rule });
    // The border between JSON and a class: what the class says of its members is what the rules have just judged.
    (dto as Record<string, unknown>)[member.name] = rule === undefined ? keptOf(member, value, prefix, problems) : value;
  }
  return dto;
}

function keptOf({ name, nested, readAs }: Member, value: Json, prefix: string, problems: FieldProblem[]): unknown {
  if (nested) return hydrateNested(nested, value, prefix + name, problems);
  return readAs ? readAs(value) : value;
}

function brokenRule({ rules }: Member, value: Json): string | undefined {
  for (const problemOf of rules) {
    const problem = problemOf(value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function hydrateNested({ type, list }: NestedType, json: Json, path: string, problems: FieldProblem[]): unknown {
  if (!list) return json instanceof JsonObject ? hydrate(type(), json, `${path}.`, problems) : json;
  if (!Array.isArray(json)) return json;
  return json.map((item: Json, index) => {
    if (item instanceof JsonObject) return hydrate(type(), item, `${path}[${index}].`, problems);
    problems.push({ path: `${path}[${index}]`, rule: 'must be an object' });
    return item;
  });
}
