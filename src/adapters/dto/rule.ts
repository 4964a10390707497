import { ValidateBy } from 'class-validator/cjs/decorator/common/ValidateBy.js';
import type { Json } from '../../domain/shared/json';

/** Says in a short stable phrase what is wrong with a value, or nothing. */
export type ProblemOf = (json: Json) => string | undefined;

/** The form in which a value that passed its rule is kept. */
export type ReadAs = (json: Json) => Json;

interface Rule {
  readonly problemOf: ProblemOf;
  /** Absent: the value is kept as it came. */
  readonly readAs?: ReadAs | undefined;
}

const rules = new WeakMap<object, Rule>();

/** The rule behind what the library knows it by; `undefined`: it is none of ours. */
export const ruleOf = (constraint: object): Rule | undefined => rules.get(constraint);

/** A rule of class-validator over JSON. `name` and `parameters` are what a description of the class can be generated from. */
export function rule(name: string, parameters: object, problemOf: ProblemOf, readAs?: ReadAs): PropertyDecorator {
  // Its own object, as two rules may be declared with one.
  const own = { ...parameters };
  rules.set(own, { problemOf, readAs });
  return ValidateBy({
    name,
    constraints: [own],
    validator: {
      validate: (value: Json) => problemOf(value) === undefined,
      defaultMessage: (about) => problemOf(about?.value as Json) ?? 'not valid',
    },
  });
}
