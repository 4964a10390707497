import express, { type Request, type RequestHandler } from 'express';
import { requireJson } from './platform-proof';
import { Refusal } from './refusal';

const parse = express.json({ limit: '1mb' });

/** Reads a JSON body; any other content type is refused with 415. */
export const readBody: RequestHandler = (request, response, next) => {
  requireJson(request);
  parse(request, response, next);
};

/** A member of an object; `undefined` for anything else. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name]; // an object with this own member, as was just seen
}

/** A member of the body that must be text. Throws INVALID_INPUT. */
export function textOf(request: Request, name: string): string {
  const value = memberOf(request.body, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new Refusal(400, 'INVALID_INPUT', `${name}: required`);
}
