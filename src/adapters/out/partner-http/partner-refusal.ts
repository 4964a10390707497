import { PartnerGarbled, PartnerRefused, UserTokenRejected, type PartnerLeg } from '../../../domain/partners/partner-errors';
import { catalogue, type ErrorCode } from '../../../domain/shared/error-catalogue';
import { JsonObject } from '../../../domain/shared/json';
import { fitsIn } from '../../../domain/shared/json-size';
import type { Reading } from './partner-call';
import { largestAttributes } from './reply-rules';

/** The format of a partner's error code that may be relayed or recorded. */
export const usableCode = /^[\x21-\x7e]{1,64}$/;
const longestMessage = 1000;

/**
 * Reads the refusal, if the answer is one. Only the members of the Error body are relayed, except for orders
 * (contract/authentication#secrets-of-partners).
 */
export function readRefusal({ leg, relaysRefusals }: Reading<object>, answer: JsonObject): PartnerRefused | undefined {
  const code = codeIn(answer);
  if (code === undefined) return undefined;
  if (!usableCode.test(code)) {
    const fields = [{ path: 'error_code', rule: 'at most 64 printable characters' }];
    throw new PartnerGarbled(leg, 'UNEXPECTED_RESPONSE_ERROR', { fields });
  }
  const message = answer.get('error_message');
  const attributes = answer.get('custom_attributes');
  const kept = attributes instanceof JsonObject && fitsIn(attributes, largestAttributes) ? attributes : undefined;
  const text = typeof message === 'string' && message !== '' ? shorten(message, longestMessage) : meaningOf(code);
  const exception = exceptionOf(answer);
  return new PartnerRefused(leg, code, text, kept, relaysRefusals ? relayedAnswer(answer, exception) : undefined, exception);
}

/** The error code as it was read, usable or not; `undefined` where the answer is no refusal. */
export function codeIn(answer: JsonObject): string | undefined {
  const code = answer.get('error_code');
  return typeof code === 'string' && code !== '' ? code : undefined;
}

const longestException = 250;

/** The `exception` of an answer in its relayed form; `undefined` when there is none. Source: contract/conventions#error-body. */
export function exceptionOf(answer: JsonObject): string | undefined {
  const exception = answer.get('exception');
  return typeof exception === 'string' ? withoutControls(exception, longestException) : undefined;
}

/** A refusal that is relayed as a whole; an `exception` that is no string is left out. */
function relayedAnswer(answer: JsonObject, exception: string | undefined): JsonObject {
  if (answer.get('exception') === exception) return answer;
  const relayed = new Map(answer.members);
  if (exception !== undefined) relayed.set('exception', exception);
  else relayed.delete('exception');
  return new JsonObject(relayed);
}

/** Whether the partner refused the user access token. */
export const isAboutToken = ({ code }: PartnerRefused): boolean => code === 'EXPIRED_ACCESS_TOKEN' || code === 'INVALID_ACCESS_TOKEN';

/** The error of a call with a refused user access token. `refused`: the refusal in the answer, if any. */
export const tokenRejected = (leg: PartnerLeg, refused: PartnerRefused | undefined): UserTokenRejected =>
  refused
    ? new UserTokenRejected(leg, refused.code, refused.message, refused.attributes, refused.answer, refused.details.exception)
    : new UserTokenRejected(leg, 'EXPIRED_ACCESS_TOKEN', catalogue.EXPIRED_ACCESS_TOKEN.meaning);

/** The first `longest` code points that are no control characters (Unicode's category Cc). Reads no further. */
function withoutControls(text: string, longest: number): string {
  const kept: string[] = [];
  for (const [character] of text.matchAll(/\P{Cc}/gu)) {
    kept.push(character);
    if (kept.length === longest) break;
  }
  return kept.join('');
}

/** Cuts the text after `longest` code points. */
const shorten = (text: string, longest: number): string =>
  text.length > longest ? [...text.slice(0, longest * 2)].slice(0, longest).join('') : text;

const meaningOf = (code: string): string =>
  Object.hasOwn(catalogue, code) ? catalogue[code as ErrorCode].meaning : 'The partner refused the call';
