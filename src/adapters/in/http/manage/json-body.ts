import express, { type Request, type RequestHandler } from 'express';
import { JsonObject, JsonSyntaxError, readJson } from '../../../../domain/shared/json';
import { ManageProblem } from './problem';

const json = /^application\/json(?: *; *charset="?utf-8"?)? *$/i;
const jsonOrMergePatch = /^application\/(?:merge-patch\+)?json(?: *; *charset="?utf-8"?)? *$/i;

/** Reads the body as bytes, whatever it says that it is; refuses other types, compressed and oversized bodies. */
export const bodyReader = (limit: number): RequestHandler[] => [
  (req, _res, next) => {
    const type = req.headers['content-type'] ?? '';
    const accepted = req.method === 'PATCH' ? jsonOrMergePatch : json;
    next(accepted.test(type) ? undefined : new ManageProblem('unsupported-media-type'));
  },
  express.raw({ type: () => true, limit, inflate: false }),
];

/** The body as a JSON object. Throws ManageProblem. */
export function bodyOf(req: Request): JsonObject {
  const bytes: unknown = req.body;
  try {
    const value = readJson(Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0));
    if (value instanceof JsonObject) return value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new ManageProblem('malformed-request', { detail: `The body is not valid JSON: ${error.message}` });
  }
  throw new ManageProblem('malformed-request', { detail: 'The body must be a JSON object' });
}
