import type { PairIds } from '../../../../domain/credentials/admit-call';
import { headerOnce, type InboundRequest } from '../../../../domain/credentials/check';
import { InvalidInput, type FieldProblem } from '../../../../domain/shared/errors';
import { type Json, JsonObject } from '../../../../domain/shared/json';
import { readObject, readObjectOrList, readQuery } from '../reading/body';
import type { RequestContext } from '../request-context';
import type { InputSource } from './api-route';

/** The object from which ids and fields are read, and the body as it was sent. */
interface Input {
  readonly members: JsonObject;
  readonly body: Json;
}

interface Sent {
  readonly request: InboundRequest;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly contentType: string | undefined;
}

/**
 * Reads the input from its source. Throws UNSUPPORTED_MEDIA_TYPE, PARSING_ERROR_INVALID_REQUEST_BODY, and INVALID_INPUT for a name with two
 * values.
 */
export async function readCallInput(source: InputSource, { request, params, contentType }: Sent): Promise<Input> {
  const { body: bytes, target } = request;
  if (source === 'headers') return { members: idHeaders(request), body: await readObjectOrList(bytes, contentType) };
  const hasBody = source === 'body' || (source === 'either' && bytes.length > 0);
  const body = hasBody ? await readObject(bytes, contentType) : new JsonObject(new Map());
  const given = Object.entries(params) as [string, Json][];
  if (source !== 'body') given.unshift(...readQuery(target).members);
  if (given.length === 0) return { members: body, body };
  const members = new Map(body.members);
  for (const [name, value] of given) {
    if (members.has(name) && members.get(name) !== value) throw new InvalidInput([{ path: name, rule: 'given twice, differently' }]);
    members.set(name, value);
  }
  return { members: new JsonObject(members), body };
}

const headerOf = { client_id: 'X-Hostapp-Client-Id', app_id: 'X-Miniapp-App-Id' } as const;

/** Reads the ids from their headers. Each header may occur once. */
const idHeaders = (request: InboundRequest): JsonObject =>
  JsonObject.of({ client_id: headerOnce(request, headerOf.client_id), app_id: headerOnce(request, headerOf.app_id) });

const idForm = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Reads both ids and stores them in the context for the log. Throws INVALID_INPUT where one is missing or malformed, before anything is
 * looked up by them.
 */
export function readPairIds(members: JsonObject, { context, source }: { context: RequestContext; source: InputSource }): PairIds {
  const problems: FieldProblem[] = [];
  const read = (name: keyof typeof headerOf): string => {
    const value = members.get(name);
    if (typeof value === 'string' && idForm.test(value)) return value;
    problems.push({
      path: source === 'headers' ? headerOf[name] : name,
      rule: value === undefined || value === null ? 'required' : 'must be 1 to 64 characters of [A-Za-z0-9._-]',
    });
    return '';
  };
  const [clientId, appId] = [read('client_id'), read('app_id')];
  if (clientId) context.clientId = clientId;
  if (appId) context.appId = appId;
  if (problems.length > 0) throw new InvalidInput(problems);
  return { clientId, appId };
}
