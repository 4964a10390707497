import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import type { Json } from '../../domain/shared/json';
import { opened } from './as-sent';

/** A class whose members are declared with the decorators of this folder. */
export type DtoClass<T extends object = object> = new () => T;

/** The class of a nested object, or of each item of a nested list. `type` is called late, so that classes may name each other. */
export interface NestedType {
  readonly type: () => DtoClass;
  /** Of a list: how many items it may have. Absent: one object. */
  readonly maxItems?: number;
}

/** What one member must be. */
export interface ValueRule {
  /** As a JSON Schema (2020-12), for the descriptions of the APIs; that of a nested class is made from the class. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly nested?: NestedType;
  /** The problem of a value, in a short stable phrase that quotes nothing of it; `undefined`: nothing is. */
  readonly problemOf: (value: Json) => string | undefined;
  /** The form in which a value is kept; absent: as it was sent. What it returns is judged by `problemOf`. */
  readonly readAs?: (value: Json) => Json;
}

const ruleName = 'rule';

/** A decorator of class-validator and class-transformer: the member is read as it was sent and judged by the rule. */
export const Rule = ({ readAs = (value) => value, problemOf, ...description }: ValueRule): PropertyDecorator =>
  combined(
    Transform(({ value }) => readAs(opened(value) as Json)),
    ValidateBy({
      name: ruleName,
      constraints: [description],
      validator: {
        validate: (value: Json) => problemOf(value) === undefined,
        defaultMessage: (about) => problemOf(about?.value as Json) ?? '',
      },
    }),
  );

/** Several decorators as one. */
export const combined =
  (...decorators: readonly PropertyDecorator[]): PropertyDecorator =>
  (prototype, member) => {
    for (const decorate of decorators) decorate(prototype, member);
  };

/** What a rule says of its member, out of the metadata of class-validator; `undefined`: it is none of these rules. */
export const descriptionIn = (metadata: { name?: string | undefined; constraints?: unknown[] | undefined }) =>
  metadata.name === ruleName ? (metadata.constraints?.[0] as Pick<ValueRule, 'schema' | 'nested'>) : undefined;
