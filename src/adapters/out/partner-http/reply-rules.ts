import type { Json } from '../../../domain/shared/json';
import { rule } from '../../dto/rule';
import { headerValuePattern } from './header-value';

/** Partners' tokens are at most this long (decisions §1, String sizes). */
export const longestToken = 8192;

/** A token that is passed on in a body. The empty one is none. */
export const Token = (): PropertyDecorator => rule('token', { max: longestToken }, tokenProblem);

/** A token that is sent in a header. */
export const HeaderToken = (): PropertyDecorator =>
  rule('headerToken', { max: longestToken }, (json) => {
    const problem = tokenProblem(json);
    return problem ?? (headerValuePattern.test(json as string) ? undefined : 'must be printable ASCII');
  });

function tokenProblem(json: Json): string | undefined {
  if (typeof json !== 'string') return 'must be text';
  if (json === '') return 'required';
  return json.length > longestToken ? `at most ${longestToken} characters` : undefined;
}

/** The printed `custom_attributes` of an answer are at most this many bytes long (decisions §1, String sizes). */
export const largestAttributes = 65_536;

/** Whatever stands there, the answer is good without it: what is of no use counts as not said. */
export const Anything = (): PropertyDecorator => rule('anything', {}, () => undefined);
