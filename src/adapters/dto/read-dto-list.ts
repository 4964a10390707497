import type { FieldProblem } from '../../domain/shared/errors';
import { JsonObject, type Json, type JsonArray } from '../../domain/shared/json';
import { declaredMembers } from './declared-members';
import { Required } from './decorators';
import { maxProblems, readDto, type Reading } from './read-dto';
import { Rule, type DtoClass, type ValueRule } from './rule';

const none: readonly FieldProblem[] = [];
const noObject: readonly FieldProblem[] = [{ path: '', rule: 'must be an object' }];

/**
 * Reads a list of objects, each like `readDto` does; an item that is no object has one problem, without a path. All values of one member are validated together as a column, so that class-transformer
 * and class-validator process a dozen members once instead of once per object (ADR 070). If a value breaks its rule, each object is read
 * separately to find the problems and their paths, up to the hundredth. Throws TypeError for a class with nested objects.
 */
export function readDtoList<T extends object>(Dto: DtoClass<T>, items: JsonArray): readonly Reading<T>[] {
  const objects = items.filter((item) => item instanceof JsonObject);
  if (objects.length < items.length) return firstBroken(Dto, items);
  const names = declaredMembers(Dto).map(({ name }) => name);
  const sent = Object.fromEntries(names.map((name) => [name, objects.map((object) => object.get(name) ?? undefined)]));
  const { dto, problems } = readDto(columnsOf(Dto), sent);
  if (problems.length > 0) return firstBroken(Dto, objects);
  const columns = Object.entries(dto as Readonly<Record<string, readonly unknown[]>>);
  return objects.map((_, i) => {
    const one = new Dto() as Record<string, unknown>;
    for (const [name, values] of columns) if (values[i] !== undefined) one[name] = values[i];
    return { dto: one as T, problems: none };
  });
}

function firstBroken<T extends object>(Dto: DtoClass<T>, items: JsonArray): readonly Reading<T>[] {
  const readings: Reading<T>[] = [];
  let found = 0;
  for (const item of items) {
    if (found >= maxProblems) break;
    const reading = item instanceof JsonObject ? readDto(Dto, item) : { dto: new Dto(), problems: noObject };
    readings.push(reading);
    found += reading.problems.length;
  }
  return readings;
}

const known = new WeakMap<DtoClass, DtoClass>();

/** Makes a class with the same members; each member holds the values of many objects. */
function columnsOf(Dto: DtoClass): DtoClass {
  const cached = known.get(Dto);
  if (cached) return cached;
  // eslint-disable-next-line @typescript-eslint/no-extraneous-class -- its members are declared below
  const Columns = class {};
  for (const { name, required, nested, rule } of declaredMembers(Dto)) {
    if (nested || !rule) throw new TypeError(`${Dto.name}.${name} cannot be read in a list`);
    Required()(Columns.prototype, name);
    Rule(columnOf(rule, required))(Columns.prototype, name);
  }
  known.set(Dto, Columns);
  return Columns;
}

type Column = readonly (Json | undefined)[];

function columnOf({ readAs = (value) => value, problemOf }: ValueRule, isRequired: boolean): ValueRule {
  const breaks = (value: Json | undefined): boolean => (value === undefined ? isRequired : problemOf(value) !== undefined);
  return {
    schema: {},
    readAs: (values) => (values as Column).map((value) => (value === undefined ? undefined : readAs(value))) as Json,
    problemOf: (values) => ((values as Column).some(breaks) ? 'breaks a rule' : undefined),
  };
}
