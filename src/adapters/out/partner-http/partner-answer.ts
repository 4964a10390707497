import {
  PartnerGarbled,
  PartnerRefused,
  PartnerUnreachable,
  UserTokenRejected,
  type PartnerLeg,
} from '../../../domain/partners/partner-errors';
import { catalogue, type ErrorCode } from '../../../domain/shared/error-catalogue';
import type { FieldProblem } from '../../../domain/shared/errors';
import { JsonObject, JsonSyntaxError, printJson, readJson, type Json } from '../../../domain/shared/json';
import { readDto } from '../../dto/read-dto';
import type { WireAnswer } from './http-transport';
import type { Reading } from './partner-call';
import { largestAttributes } from './reply-rules';

/**
 * What a partner's answer says, or its failure as a domain error: PartnerRefused where it holds an `error_code` (whatever the
 * status), UserTokenRejected where `asUser` and the token is not taken, PartnerGarbled where it is not as agreed,
 * PartnerUnreachable for a redirect. Source: decisions §3.
 */
export function readAnswer<Reply extends object>(reading: Reading<Reply>, answer: WireAnswer, asUser: boolean): Reply {
  const { leg } = reading;
  const { status } = answer;
  refuseRedirect(leg, answer);
  const content = readContent(answer);
  const refused = content.json instanceof JsonObject ? readRefusal(reading, content.json) : undefined;
  if (asUser && (status === 401 || (refused && tokenCodes.includes(refused.code)))) throw tokenRejected(leg, refused);
  if (refused) throw refused;
  requireSuccess(leg, answer, content);
  if (content.json === undefined) throw new PartnerGarbled(leg, content.code, content.cause ? { cause: content.cause } : {});
  return readReply(reading, content.json);
}

/**
 * The JSON of a 2xx answer, whatever it says; `undefined`: there is none that can be read. Throws PartnerGarbled for another
 * status, PartnerUnreachable for a redirect.
 */
export function readPassedOn(leg: PartnerLeg, answer: WireAnswer): Json | undefined {
  refuseRedirect(leg, answer);
  const content = readContent(answer);
  requireSuccess(leg, answer, content);
  return content.json;
}

function refuseRedirect(leg: PartnerLeg, { status }: WireAnswer): void {
  if (status >= 300 && status < 400) throw new PartnerUnreachable(leg, 'redirect');
}

function requireSuccess(leg: PartnerLeg, { status }: WireAnswer, { json }: Content): void {
  if (status >= 200 && status <= 299) return;
  const exception = json instanceof JsonObject ? exceptionOf(json) : undefined;
  throw new PartnerGarbled(leg, 'UNEXPECTED_RESPONSE_ERROR', { cause: `http-${status}`, ...(exception !== undefined && { exception }) });
}

type Content = { readonly json: Json } | { readonly json?: undefined; readonly code: ErrorCode; readonly cause?: string };

/** JSON of a partner, a byte order mark before it left out (decisions §5.13). Throws JsonSyntaxError. */
export const readPartnerJson = (body: Uint8Array): Json => readJson(startsWithMark(body) ? body.subarray(3) : body);

const startsWithMark = (body: Uint8Array): boolean => body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;

/** JSON, whatever its parameters. */
const jsonType = /^\s*application\/(?:json|[a-z0-9!#$&^_.+-]+\+json)\s*(?:;|$)/i;

function readContent({ contentType, contentEncoding, body }: WireAnswer): Content {
  if (contentEncoding !== '' && contentEncoding.toLowerCase() !== 'identity')
    return { code: 'UNEXPECTED_RESPONSE_ERROR', cause: 'compressed' };
  if (!jsonType.test(contentType)) return { code: 'INVALID_RESPONSE_CONTENT_TYPE' };
  try {
    return { json: readPartnerJson(body) };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { code: 'FAILED_TO_PARSE_RESPONSE' };
    throw error;
  }
}

const tokenCodes: readonly string[] = ['EXPIRED_ACCESS_TOKEN', 'INVALID_ACCESS_TOKEN'];
/** A partner's error code that is passed on or noted. */
export const usableCode = /^[\x21-\x7e]{1,64}$/;
const longestMessage = 1000;

/** The refusal that the answer is, if it is one: nothing of it but the members of the Error body goes further (T29), but for orders. */
function readRefusal({ leg, relaysRefusals }: Reading<object>, answer: JsonObject): PartnerRefused | undefined {
  const code = answer.get('error_code');
  if (typeof code !== 'string' || code === '') return undefined;
  if (!usableCode.test(code)) {
    const fields = [{ path: 'error_code', rule: 'at most 64 printable characters' }];
    throw new PartnerGarbled(leg, 'UNEXPECTED_RESPONSE_ERROR', { fields });
  }
  const message = answer.get('error_message');
  const attributes = answer.get('custom_attributes');
  const kept = attributes instanceof JsonObject && Buffer.byteLength(printJson(attributes)) <= largestAttributes ? attributes : undefined;
  const text = typeof message === 'string' && message !== '' ? shorten(message, longestMessage) : meaningOf(code);
  const exception = exceptionOf(answer);
  return new PartnerRefused(leg, code, text, kept, relaysRefusals ? relayedAnswer(answer, exception) : undefined, exception);
}

const longestException = 250;

/** The `exception` of an answer as it is relayed; `undefined`: there is none. Source: decisions §5.8. */
function exceptionOf(answer: JsonObject): string | undefined {
  const exception = answer.get('exception');
  return typeof exception === 'string' ? shorten(exception.replace(/\p{Cc}/gu, ''), longestException) : undefined;
}

/** A refusal that goes out whole. */
const relayedAnswer = (answer: JsonObject, exception: string | undefined): JsonObject =>
  exception === undefined ? answer : new JsonObject(new Map(answer.members).set('exception', exception));

const tokenRejected = (leg: PartnerLeg, refused: PartnerRefused | undefined): UserTokenRejected =>
  refused
    ? new UserTokenRejected(leg, refused.code, refused.message, refused.attributes, refused.answer, refused.details.exception)
    : new UserTokenRejected(leg, 'EXPIRED_ACCESS_TOKEN', catalogue.EXPIRED_ACCESS_TOKEN.meaning);

/** Cut at so many code points. */
const shorten = (text: string, longest: number): string =>
  text.length > longest ? [...text.slice(0, longest * 2)].slice(0, longest).join('') : text;

const meaningOf = (code: string): string =>
  Object.hasOwn(catalogue, code) ? catalogue[code as ErrorCode].meaning : 'The partner refused the call';

function readReply<Reply extends object>({ leg, Reply, part, malformed }: Reading<Reply>, json: Json): Reply {
  const whole = [{ path: '$', rule: 'must be an object' }];
  if (!(json instanceof JsonObject)) throw new PartnerGarbled(leg, 'UNEXPECTED_RESPONSE_ERROR', { fields: whole });
  const { prefix, json: fields } = part ? part(json) : { prefix: '', json };
  if (!(fields instanceof JsonObject)) {
    const path = prefix.replace(/\.$/, '');
    throw new PartnerGarbled(leg, 'UNEXPECTED_RESPONSE_ERROR', { fields: [{ path, rule: 'must be an object' }] });
  }
  const { dto, problems } = readDto(Reply, fields);
  if (problems.length === 0) return dto;
  const found = problems.map(({ path, rule }) => ({ path: prefix + path, rule }));
  const missing = found.filter(({ rule }) => rule === 'required');
  if (missing.length > 0) throw new PartnerGarbled(leg, 'RESPONSE_ATTRIBUTE_MISSING', { fields: missing });
  throw new PartnerGarbled(leg, codeOf(malformed, problems), { fields: found });
}

function codeOf(malformed: Reading<object>['malformed'], problems: readonly FieldProblem[]): ErrorCode {
  if (malformed === undefined || typeof malformed === 'string') return malformed ?? 'UNEXPECTED_RESPONSE_ERROR';
  return problems.map(({ path }) => malformed[path]).find((code) => code !== undefined) ?? 'UNEXPECTED_RESPONSE_ERROR';
}
