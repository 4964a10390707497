import type { Request, RequestHandler } from 'express';
import { type DomainError, refusal } from '../../../../domain/shared/errors';
import { type Json, type JsonArray, JsonObject, JsonSyntaxError } from '../../../../domain/shared/json';
import { readInTurns } from '../../../json/in-turns';
import type { BodyReader } from '../admission/body-reader';
import { queryParameters, QueryRefused } from './query-parameters';

/** Reads the body for routes that Express serves; `bytesOf` returns it. */
export const readBytes =
  (bodies: BodyReader): RequestHandler =>
  (req, _res, next) => {
    bodies.read(req, (refused, body) => {
      req.body = body;
      next(refused);
    });
  };

const none = new Uint8Array();

/** The bytes that `readBytes` read. */
export const bytesOf = (req: Request): Uint8Array => (Buffer.isBuffer(req.body) ? req.body : none);

/**
 * Parses the body strictly as a JSON object. Throws UNSUPPORTED_MEDIA_TYPE for another content type or charset,
 * PARSING_ERROR_INVALID_REQUEST_BODY for anything that is not one JSON object (contract/conventions#bodies).
 */
export async function readObject(bytes: Uint8Array, contentType: string | undefined): Promise<JsonObject> {
  const json = await readAny(bytes, contentType);
  if (!(json instanceof JsonObject))
    throw refusal('invalid', 'PARSING_ERROR_INVALID_REQUEST_BODY', { cause: 'The top level is not an object' });
  return json;
}

/** Like readObject, but the top level may also be a list (analytics). */
export async function readObjectOrList(bytes: Uint8Array, contentType: string | undefined): Promise<JsonObject | JsonArray> {
  const json = await readAny(bytes, contentType);
  if (json instanceof JsonObject || Array.isArray(json)) return json;
  throw refusal('invalid', 'PARSING_ERROR_INVALID_REQUEST_BODY', { cause: 'The top level is neither an object nor a list' });
}

async function readAny(bytes: Uint8Array, contentType: string | undefined): Promise<Json> {
  if (!isJsonInUtf8(contentType)) throw wrongMediaType(contentType);
  try {
    return await readInTurns(bytes);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw refusal('invalid', 'PARSING_ERROR_INVALID_REQUEST_BODY', { cause: error.message });
  }
}

function wrongMediaType(contentType: string | undefined): DomainError {
  const sent = contentType === undefined ? 'There is no Content-Type' : `The Content-Type is ${shown(contentType)}`;
  return refusal('wrong-media-type', 'UNSUPPORTED_MEDIA_TYPE', {}, `${sent}; send application/json in UTF-8`);
}

/** Shortens a header value for the answer. */
const shown = (value: string): string => (value.length > 100 ? `${value.slice(0, 100)}…` : value);

function isJsonInUtf8(contentType: string | undefined): boolean {
  // The usual value needs no parsing.
  if (contentType === 'application/json') return true;
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/json') return false;
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name.trim() !== 'charset' || utf8Names.has(unquoted(value.trim()));
  });
}

/** Names of UTF-8 and of its subset ASCII (contract/conventions#bodies). */
const utf8Names: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);

const unquoted = (value: string): string => /^"(.*)"$/.exec(value)?.[1] ?? value;

/** The query as an object of strings. Throws INVALID_INPUT where a name is given twice, and where it is not valid UTF-8 text. */
export function readQuery(target: string): JsonObject {
  const members = new Map<string, string>();
  for (const [name, value] of parametersOf(target)) {
    if (members.has(name))
      throw refusal('invalid', 'INVALID_INPUT', { fields: [{ path: name.slice(0, 64), rule: 'given more than once' }] });
    members.set(name, value);
  }
  return new JsonObject(members);
}

function parametersOf(target: string): ReturnType<typeof queryParameters> {
  try {
    return queryParameters(target);
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error;
    throw refusal('invalid', 'INVALID_INPUT', { fields: [{ path: error.parameter, rule: error.rule }] });
  }
}
