import type { Request } from 'express';
import type { JsonObject } from '../../../../../domain/shared/json';
import { InvalidInput } from '../../../../../domain/shared/errors';
import { bytesOf, readObject } from '../../reading/body';
import { mergePatch as patched, plainOf, type PlainObject } from './merge-patch';
import { readWholeDto, unknownMembers } from '../../../../dto/read-dto';

const mergePatch = /^\s*application\/merge-patch\+json(?=\s*(;|$))/i;

/** The body as a JSON object; a patch may have its own media type (RFC 7396). Throws what `readObject` throws. */
export function bodyOf(req: Request): Promise<JsonObject> {
  const type = req.headers['content-type'];
  return readObject(bytesOf(req), req.method === 'PATCH' ? type?.replace(mergePatch, 'application/json') : type);
}

/** The body as a validated `Dto`; null counts as absent. Throws InvalidInput with every mistake. */
export async function readInput<T extends object>(req: Request, Dto: new () => T): Promise<T> {
  const { plain, problems: poisonous } = plainOf(await bodyOf(req));
  const { dto, problems } = readWholeDto(Dto, patched({}, plain) as PlainObject);
  const all = [...poisonous, ...unknownMembers(Dto, plain), ...problems];
  if (all.length > 0) throw new InvalidInput([...new Map(all.map((problem) => [problem.path, problem])).values()]);
  return dto;
}

/** As `readInput`, for a body that may be empty. */
export const readInputIfAny = async <T extends object>(req: Request, Dto: new () => T): Promise<Partial<T>> =>
  bytesOf(req).length === 0 ? {} : readInput(req, Dto);
