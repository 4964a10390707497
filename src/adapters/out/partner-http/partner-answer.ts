import type { AxiosResponse } from 'axios';
import { PartnerGarbled, PartnerUnreachable, type PartnerLeg } from '../../../domain/partners/partner-errors';
import type { ErrorCode } from '../../../domain/shared/error-catalogue';
import type { FieldProblem } from '../../../domain/shared/errors';
import { JsonObject, JsonSyntaxError, NulInString, type Json, type ReadingRules } from '../../../domain/shared/json';
import { readInTurnsFirst } from '../../json/in-turns';
import { readDto } from '../../dto/read-dto';
import type { Reading } from './partner-call';
import { codeIn, exceptionOf, isAboutToken, readRefusal, tokenRejected } from './partner-refusal';

/** One complete HTTP answer, before it is parsed. */
export interface PartnerAnswer {
  readonly status: number;
  /** The received value of each of these three headers; empty when the header is absent. */
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly retryAfter: string;
  readonly body: Uint8Array;
}

/** Converts an axios response to an answer. */
export const answerOf = ({ status, headers, data }: AxiosResponse<Uint8Array>): PartnerAnswer => ({
  status,
  contentType: textOf(headers['content-type']),
  contentEncoding: textOf(headers['content-encoding']),
  retryAfter: textOf(headers['retry-after']),
  body: data,
});

const textOf = (header: unknown): string => (typeof header === 'string' ? header : '');

/**
 * Reads a partner's answer, or throws its failure as a domain error: PartnerRefused when it has an `error_code` (whatever the status),
 * UserTokenRejected when `asUser` and the token is refused, PartnerGarbled when it violates the contract, PartnerUnreachable for a
 * redirect. Source: contract/partner-calls#reading-an-answer.
 */
export async function readAnswer<Reply extends object>(reading: Reading<Reply>, answer: PartnerAnswer, asUser: boolean): Promise<Reply> {
  const { leg } = reading;
  const { status } = answer;
  refuseRedirect(leg, answer);
  const content = await readContent(answer);
  const refused = content.json instanceof JsonObject ? readRefusal(reading, content.json) : undefined;
  if (asUser && (status === 401 || (refused && isAboutToken(refused)))) throw tokenRejected(leg, refused);
  if (refused) throw refused;
  requireSuccess(leg, answer, content);
  if (content.json === undefined) throw new PartnerGarbled(leg, content.code, content.cause ? { cause: content.cause } : {});
  return readReply(reading, content.json);
}

/**
 * Reads the JSON of a 2xx answer without checking it; `undefined` when there is no readable JSON. Throws PartnerGarbled for another status,
 * PartnerUnreachable for a redirect.
 */
export async function readPassedOn(leg: PartnerLeg, answer: PartnerAnswer): Promise<Json | undefined> {
  refuseRedirect(leg, answer);
  const content = await readContent(answer);
  requireSuccess(leg, answer, content);
  return content.json;
}

function refuseRedirect(leg: PartnerLeg, { status }: PartnerAnswer): void {
  if (status >= 300 && status < 400) throw new PartnerUnreachable(leg, 'redirect');
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

function requireSuccess(leg: PartnerLeg, { status }: PartnerAnswer, { json }: Content): void {
  if (isSuccess(status)) return;
  const exception = json instanceof JsonObject ? exceptionOf(json) : undefined;
  throw new PartnerGarbled(leg, 'UNEXPECTED_RESPONSE_ERROR', { cause: `http-${status}`, ...(exception !== undefined && { exception }) });
}

type Content = { readonly json: Json } | { readonly json?: undefined; readonly code: ErrorCode; readonly cause?: string };

/** Values in an answer. No partner needs so many: 1 MiB of nested arrays would be half a million. */
const maxValues = 50_000;

/**
 * Parses a partner's JSON and ignores a byte order mark before it (contract/partner-calls#reading-an-answer). Throws JsonSyntaxError, also
 * for more than 50,000 values.
 */
const readPartnerJson = (body: Uint8Array, rules: Pick<ReadingRules, 'removesNul'> = {}): Promise<Json> =>
  readInTurnsFirst(startsWithMark(body) ? body.subarray(3) : body, { maxValues, ...rules });

const startsWithMark = (body: Uint8Array): boolean => body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;

/** A JSON media type with any parameters. */
const jsonType = /^\s*application\/(?:json|[a-z0-9!#$&^_.+-]+\+json)\s*(?:;|$)/i;

async function readContent({ status, contentType, contentEncoding, body }: PartnerAnswer): Promise<Content> {
  if (contentEncoding !== '' && contentEncoding.toLowerCase() !== 'identity')
    return { code: 'UNEXPECTED_RESPONSE_ERROR', cause: 'compressed' };
  if (!jsonType.test(contentType)) return { code: 'INVALID_RESPONSE_CONTENT_TYPE' };
  try {
    return { json: await readPartnerJson(body) };
  } catch (error) {
    const json = error instanceof NulInString ? await readErrorBody(body) : undefined;
    if (json && (!isSuccess(status) || codeIn(json) !== undefined)) return { json };
    if (error instanceof JsonSyntaxError) return { code: 'FAILED_TO_PARSE_RESPONSE' };
    throw error;
  }
}

/** Reads an error body, without the NUL in it; `undefined` when the body is no JSON object. */
export async function readErrorBody(body: Uint8Array): Promise<JsonObject | undefined> {
  try {
    const json = await readPartnerJson(body, { removesNul: true });
    return json instanceof JsonObject ? json : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

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
