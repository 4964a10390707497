import express, { type Request, type RequestHandler } from 'express';
import { JsonObject, JsonSyntaxError, type Json } from '../domain/shared/json';
import { readJson } from '../domain/shared/read-json';
import { requireJson } from './signing/platform-proof';
import { Refusal } from './partners/refusal';

/** Keeps the raw body, which a signature covers. */
export const rawBody: RequestHandler = express.raw({ limit: '1mb', type: () => true });

/** Parses the raw body as a JSON object whose numbers keep their text. Refuses any other content type with 415. */
export const parsedBody: RequestHandler = (request, _response, next) => {
  requireJson(request);
  request.body = objectIn(request.body);
  next();
};

export const readBody: readonly RequestHandler[] = [rawBody, parsedBody];

function objectIn(bytes: unknown): JsonObject {
  try {
    const json = readJson(bytes instanceof Uint8Array ? bytes : new Uint8Array());
    if (json instanceof JsonObject) return json;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  throw new Refusal(400, 'INVALID_INPUT', 'The request body cannot be read');
}

/** The body that `parsedBody` has parsed. */
export const bodyOf = (request: Request): JsonObject => (request.body instanceof JsonObject ? request.body : new JsonObject(new Map()));

/** A member of a losslessly parsed JSON object; `undefined` for anything else. */
export const jsonMember = (value: Json | undefined, name: string): Json | undefined =>
  value instanceof JsonObject ? value.get(name) : undefined;

/** A body member that must be non-empty text. Throws INVALID_INPUT. */
export function textOf(request: Request, name: string): string {
  const value = bodyOf(request).get(name);
  if (typeof value === 'string' && value !== '') return value;
  throw new Refusal(400, 'INVALID_INPUT', `${name}: required`);
}

/** A member of a plain object; `undefined` for anything else. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name]; // an object with this own member, as was just seen
}

/** Refuses a body with another partner's id. */
export function requireOwnId(request: Request, name: 'client_id' | 'app_id', ownId: string): void {
  const named = bodyOf(request).get(name) ?? ownId;
  if (named !== ownId) throw new Refusal(400, 'INVALID_INPUT', `${name}: names another app`);
}
