import { ValidateBy } from 'class-validator/cjs/decorator/common/ValidateBy.js';
import type { Json } from '../../domain/shared/json';

/** Says in a short stable phrase what is wrong with a value, or nothing. */
export type ProblemOf = (json: Json) => string | undefined;

const problemsOf = new WeakMap<object, ProblemOf>();

/** The rule behind what the library knows it by; `undefined`: it is none of ours. */
export const ruleOf = (constraint: object): ProblemOf | undefined => problemsOf.get(constraint);

/** A rule of class-validator over JSON. `name` and `parameters` are what a description of the class can be generated from. */
export function rule(name: string, parameters: object, problemOf: ProblemOf): PropertyDecorator {
  // Its own object, as two rules may be declared with one.
  const own = { ...parameters };
  problemsOf.set(own, problemOf);
  return ValidateBy({
    name,
    constraints: [own],
    validator: {
      validate: (value: Json) => problemOf(value) === undefined,
      defaultMessage: (about) => problemOf(about?.value as Json) ?? 'not valid',
    },
  });
}
