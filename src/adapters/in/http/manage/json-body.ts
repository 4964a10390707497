import type { Request } from 'express';
import type { JsonObject } from '../../../../domain/shared/json';
import { bytesOf, readObject } from '../body';

const mergePatch = /^\s*application\/merge-patch\+json(?=\s*(;|$))/i;

/** The body as a JSON object; a patch may name its own type (RFC 7396). Throws what `readObject` throws. */
export function bodyOf(req: Request): JsonObject {
  const type = req.headers['content-type'];
  return readObject(bytesOf(req), req.method === 'PATCH' ? type?.replace(mergePatch, 'application/json') : type);
}
