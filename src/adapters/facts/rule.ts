import { ValidateBy } from 'class-validator';
import type { Json } from '../../domain/shared/json';

/**
 * A rule of class-validator over JSON: `problemOf` says in a short stable phrase what is wrong, or `undefined`.
 * `name` and `parameters` are what a description of the class can be generated from.
 */
export function rule(name: string, parameters: object, problemOf: (json: Json) => string | undefined): PropertyDecorator {
  return ValidateBy({
    name,
    constraints: [parameters],
    validator: {
      validate: (value: Json) => problemOf(value) === undefined,
      defaultMessage: (about) => problemOf(about?.value as Json) ?? 'not valid',
    },
  });
}
