import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import type { ValidationError } from 'class-validator';
import { Validator } from 'class-validator/cjs/validation/Validator.js';
import type { FieldProblem } from '../../../../domain/shared/errors';
import type { PlainObject } from './merge-patch';

/** What a body says, and everything in it that breaks a rule; members that do are absent from the facts. */
export interface Reading<T> {
  readonly facts: T;
  readonly problems: readonly FieldProblem[];
}

const validator = new Validator();
const strict = {
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
  stopAtFirstError: true,
  validationError: { target: false, value: false },
} as const;

/** Reads a body into its DTO. */
export function readDto<T extends object>(Dto: new () => T, plain: PlainObject): Reading<T> {
  const facts = plainToInstance(Dto, plain);
  const problems = problemsOf(validator.validateSync(facts, strict), '');
  for (const { path } of problems) forget(facts, path.split(/[.[\]]+/).filter(Boolean));
  return { facts, problems };
}

const unknown = 'unknown member';

/** Members that the DTO does not know, those that hold a null included: a null removes, but only what can be there. */
export function unknownMembers(Dto: new () => object, plain: PlainObject): FieldProblem[] {
  return problemsOf(validator.validateSync(plainToInstance(Dto, plain), strict), '').filter(({ rule }) => rule === unknown);
}

function problemsOf(errors: readonly ValidationError[], parent: string): FieldProblem[] {
  return errors.flatMap(({ property, constraints, children }) => {
    const path = parent === '' ? property : /^\d+$/.test(property) ? `${parent}[${property}]` : `${parent}.${property}`;
    // Said once: what is wrong inside of something wrong adds nothing.
    if (constraints) return [{ path, rule: ruleOf(constraints) }];
    return problemsOf(children ?? [], path);
  });
}

function ruleOf(constraints: Readonly<Record<string, string>>): string {
  if ('whitelistValidation' in constraints) return unknown;
  return constraints['isDefined'] ?? constraints['rule'] ?? 'is not valid';
}

/** Takes the member at the path away; of a list, the whole. */
function forget(facts: object, [name, ...rest]: readonly string[]): void {
  if (name === undefined) return;
  const owner = facts as Record<string, unknown>;
  const member = owner[name];
  if (rest.length > 0 && typeof member === 'object' && member !== null && !Array.isArray(member)) forget(member, rest);
  else Reflect.deleteProperty(owner, name);
}
