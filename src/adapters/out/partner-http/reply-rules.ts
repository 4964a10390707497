import type { Json } from '../../../domain/shared/json';
import { Rule } from '../../dto/decorators';
import { headerValuePattern } from './header-value';

/** Partners' tokens are at most this long (contract/conventions#string-sizes). */
export const longestToken = 8192;

const tokenSchema = { type: 'string', minLength: 1, maxLength: longestToken };

/** A token that is passed on in a body. The empty one is none. */
export const Token = (): PropertyDecorator => Rule({ schema: tokenSchema, problemOf: tokenProblem });

/** A token that is sent in a header. */
export const HeaderToken = (): PropertyDecorator =>
  Rule({
    schema: { ...tokenSchema, pattern: headerValuePattern.source },
    problemOf: (json) => tokenProblem(json) ?? (headerValuePattern.test(json as string) ? undefined : 'must be printable ASCII'),
  });

function tokenProblem(json: Json): string | undefined {
  if (typeof json !== 'string') return 'must be text';
  if (json === '') return 'required';
  return json.length > longestToken ? `at most ${longestToken} characters` : undefined;
}

/** The printed `custom_attributes` of an answer are at most this many bytes long (contract/conventions#string-sizes). */
export const largestAttributes = 65_536;

/** Whatever stands there, the answer is good without it: a useless value counts as absent. */
export const Anything = (): PropertyDecorator => Rule({ schema: {}, problemOf: () => undefined });
