import type { Json } from '../../../domain/shared/json';
import { Rule } from '../../dto/decorators';
import { headerValuePattern } from './header-value';

/** The maximum length of partners' tokens (contract/conventions#string-sizes). */
export const longestToken = 8192;

const tokenSchema = { type: 'string', minLength: 1, maxLength: longestToken };

/** A token that is relayed in a body. An empty one is invalid. */
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

/** The maximum size of the serialised `custom_attributes` of an answer, in bytes (contract/conventions#string-sizes). */
export const largestAttributes = 65_536;

/** Accepts any value: an unusable one counts as absent, and the answer stays valid. */
export const Anything = (): PropertyDecorator => Rule({ schema: {}, problemOf: () => undefined });
