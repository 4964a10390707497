import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { ValidationTypes, Validator, type ValidationError, type ValidatorOptions } from 'class-validator';
import type { FieldProblem } from '../../domain/shared/errors';
import type { Json } from '../../domain/shared/json';
import { declaredMembers } from './declared-members';
import { plainMembers, type MemberScope, type SourceObject } from './plain-members';
import type { DtoClass } from './rule';
import './sync-constraints';

/** Maximum problems in an answer: a list of a thousand items can have thousands. */
export const maxProblems = 100;

/**
 * A DTO and the problems of its input: at most one per member, in declaration order, the first hundred. The DTO lacks members with a
 * problem.
 */
export interface Reading<T> {
  readonly dto: T;
  readonly problems: readonly FieldProblem[];
}

/** How strictly one kind of input is read. */
interface Border {
  readonly scope: MemberScope;
  readonly options: ValidatorOptions;
  /** The rule's text for a missing member. */
  readonly required: string;
}

const options = { forbidUnknownValues: true, stopAtFirstError: true, validationError: { target: false, value: false } } as const;
const ofPartners: Border = { scope: 'declared', options, required: 'required' };
const ofOperators: Border = {
  scope: 'all',
  options: { ...options, whitelist: true, forbidNonWhitelisted: true },
  required: 'is required',
};

/**
 * Reads the declared members of `Dto` from a partner's JSON and ignores others. `null` counts as absent. Values stay as they were sent
 * (`string`, `boolean`, JsonNumber, JsonObject, lists), but ids become text, and members declared with `@Nested` or `@NestedList` become
 * instances of their classes. Do not use a DTO with problems.
 */
export function readDto<T extends object>(Dto: DtoClass<T>, json: SourceObject): Reading<T> {
  // The library refuses objects of a class without rules. Routes that read no fields declare such a class.
  if (declaredMembers(Dto).length === 0) return { dto: new Dto(), problems: [] };
  return firstProblems(read(Dto, json, ofPartners));
}

/** Reads a body of the manage API, where an undeclared member is a problem. */
export const readWholeDto = <T extends object>(Dto: DtoClass<T>, plain: SourceObject): Reading<T> =>
  firstProblems(read(Dto, plain, ofOperators));

const firstProblems = <T>({ dto, problems }: Reading<T>): Reading<T> => ({ dto, problems: problems.slice(0, maxProblems) });

const unknown = 'unknown member';

/** Problems of undeclared members, including those with null: a null can only remove a known member. */
export const unknownMembers = (Dto: DtoClass, plain: SourceObject): FieldProblem[] =>
  read(Dto, plain, ofOperators).problems.filter(({ rule }) => rule === unknown);

const validator = new Validator();
/** No DTO uses `@Expose` or `@Exclude`, so the library need not search for them. */
const noExpose = { ignoreDecorators: true };

function read<T extends object>(Dto: DtoClass<T>, source: SourceObject, border: Border): Reading<T> {
  const dto = plainToInstance(Dto, plainMembers(Dto, source, border.scope), noExpose);
  const errors = validator.validateSync(dto, border.options);
  return { dto, problems: takeBroken(dto as Owner, errors, { path: '', border }) };
}

type Owner = Record<string, unknown>;

/** Removes values that break a rule from an object and returns their problems. A broken item removes its whole list. */
function takeBroken(
  owner: Owner,
  errors: readonly ValidationError[],
  at: { readonly path: string; readonly border: Border },
): FieldProblem[] {
  return errors.flatMap(({ property, constraints, children = [] }) => {
    const path = pathOf(owner, at.path, property);
    const value = owner[property];
    if (constraints || Array.isArray(value)) Reflect.deleteProperty(owner, property);
    if (constraints) {
      const ofItems = problemsOfItems(owner, property, value);
      if (ofItems.length === 0) return [{ path, rule: ruleIn(constraints, at.border) }];
      return ofItems.map((item) => ({ path: path + item.path, rule: item.rule }));
    }
    return takeBroken(value as Owner, children, { path, border: at.border });
  });
}

function problemsOfItems(owner: Owner, name: string, value: unknown): readonly FieldProblem[] {
  const member = declaredMembers(owner.constructor as DtoClass).find((one) => one.name === name);
  return member?.rule?.items?.problemsOf(value as Json) ?? [];
}

function pathOf(owner: object, parent: string, name: string): string {
  if (Array.isArray(owner)) return `${parent}[${name}]`;
  return parent === '' ? name : `${parent}.${name}`;
}

function ruleIn(constraints: Readonly<Record<string, string>>, { required }: Border): string {
  if (ValidationTypes.WHITELIST in constraints) return unknown;
  if (ValidationTypes.IS_DEFINED in constraints) return required;
  return Object.values(constraints)[0] || 'not valid';
}
