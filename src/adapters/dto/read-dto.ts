import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { ValidationTypes, Validator, type ValidationError, type ValidatorOptions } from 'class-validator';
import type { FieldProblem } from '../../domain/shared/errors';
import type { JsonObject } from '../../domain/shared/json';
import { declaredMembers } from './declared-members';
import { plainMembers, type MemberScope, type SourceObject } from './plain-members';
import type { DtoClass } from './rule';
import './sync-constraints';

/** The members, and every rule that one breaks: one for each, in the order declared. Members that break one are absent. */
export interface Reading<T> {
  readonly dto: T;
  readonly problems: readonly FieldProblem[];
}

/** How a border reads. */
interface Border {
  readonly scope: MemberScope;
  readonly options: ValidatorOptions;
  /** The phrase for a missing member. */
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
 * Reads the members that `Dto` declares out of JSON that a partner sent; others are passed over. `null` counts as absent. Values
 * stay as they were sent (`string`, `boolean`, JsonNumber, JsonObject, lists), but ids become text; members declared with
 * `@Nested` or `@NestedList` become instances of their classes. A DTO with problems is not to be used.
 */
export function readDto<T extends object>(Dto: DtoClass<T>, json: JsonObject): Reading<T> {
  // The library refuses objects of a class without rules; such a class declares that a route reads nothing.
  if (declaredMembers(Dto).length === 0) return { dto: new Dto(), problems: [] };
  return read(Dto, json, ofPartners);
}

/** Reads a body of the manage API, in which a member that `Dto` does not declare is a problem. */
export const readWholeDto = <T extends object>(Dto: DtoClass<T>, plain: SourceObject): Reading<T> => read(Dto, plain, ofOperators);

const unknown = 'unknown member';

/** Members that `Dto` does not declare, also those that hold a null: a null removes, but only what can be there. */
export const unknownMembers = (Dto: DtoClass, plain: SourceObject): FieldProblem[] =>
  readWholeDto(Dto, plain).problems.filter(({ rule }) => rule === unknown);

const validator = new Validator();
/** No DTO has `@Expose` or `@Exclude`: the library need not look for them at each member. */
const noExpose = { ignoreDecorators: true };

function read<T extends object>(Dto: DtoClass<T>, source: SourceObject, border: Border): Reading<T> {
  const dto = plainToInstance(Dto, plainMembers(Dto, source, border.scope), noExpose);
  const errors = validator.validateSync(dto, border.options);
  return { dto, problems: takeBroken(dto as Owner, errors, { path: '', border }) };
}

type Owner = Record<string, unknown>;

/** Takes what breaks a rule out of an object, of a list with a broken item the whole list, and says what it was. */
function takeBroken(
  owner: Owner,
  errors: readonly ValidationError[],
  at: { readonly path: string; readonly border: Border },
): FieldProblem[] {
  return errors.flatMap(({ property, constraints, children = [] }) => {
    const path = pathOf(owner, at.path, property);
    const value = owner[property];
    if (constraints || Array.isArray(value)) Reflect.deleteProperty(owner, property);
    if (constraints) return [{ path, rule: ruleIn(constraints, at.border) }];
    return takeBroken(value as Owner, children, { path, border: at.border });
  });
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
