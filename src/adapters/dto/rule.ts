import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import type { FieldProblem } from '../../domain/shared/errors';
import type { Json } from '../../domain/shared/json';
import { opened } from './as-sent';

/** A class whose members are declared with the decorators of this folder. */
export type DtoClass<T extends object = object> = new () => T;

/** The class of a nested object or of a list's items. `type` is a function so that classes can refer to each other. */
export interface NestedType {
  readonly type: () => DtoClass;
  /** Maximum items of a list. Absent for a single object. */
  readonly maxItems?: number;
}

/** The items of a list that stays as it was sent. */
export interface ItemType {
  readonly type: () => DtoClass;
  /** The problems of the items, with paths like `[0].name`; none where the value is no list or too long. */
  readonly problemsOf: (value: Json) => readonly FieldProblem[];
}

/** The rule for one member. */
export interface ValueRule {
  /** A JSON Schema (2020-12) for the API descriptions. The schema of a nested class is made from the class. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly nested?: NestedType;
  /** The class of the objects in a list that stays as it was sent. */
  readonly items?: ItemType;
  /** The problem of a value as a short stable phrase without the value itself, or `undefined` when it is valid. */
  readonly problemOf: (value: Json) => string | undefined;
  /** Normalises a value before `problemOf` checks it. When absent, the value stays as it was sent. */
  readonly readAs?: (value: Json) => Json;
}

const ruleName = 'rule';

/** A decorator for class-validator and class-transformer: the member keeps its sent value, and the rule checks it. */
export function Rule(rule: ValueRule): PropertyDecorator {
  const { readAs = (value) => value, problemOf } = rule;
  return combined(
    Transform(({ value }) => readAs(opened(value) as Json)),
    ValidateBy({
      name: ruleName,
      constraints: [rule],
      validator: {
        validate: (value: Json) => problemOf(value) === undefined,
        defaultMessage: (about) => problemOf(about?.value as Json) ?? '',
      },
    }),
  );
}

/** Combines several decorators into one. */
export const combined =
  (...decorators: readonly PropertyDecorator[]): PropertyDecorator =>
  (prototype, member) => {
    for (const decorate of decorators) decorate(prototype, member);
  };

/** The ValueRule in a member's metadata, or `undefined` for another decorator. */
export const ruleIn = (metadata: { name?: string | undefined; constraints?: unknown[] | undefined }) =>
  metadata.name === ruleName ? (metadata.constraints?.[0] as ValueRule) : undefined;
