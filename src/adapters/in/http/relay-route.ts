import type { IncomingMessage, ServerResponse } from 'node:http';
import { headerOnce, type InboundRequest } from '../../../domain/credentials/check';
import type { AdmitCall, PairIds } from '../../../domain/credentials/admit-call';
import type { KeepRefusedRequest } from '../../../domain/credentials/explain/keep-refused-request';
import type { CredentialPolicy } from '../../../domain/credentials/credential-policy';
import type { RateLimiter } from '../../../domain/credentials/ports';
import { ExchangeTrace, type Relay } from '../../../domain/exchanges/exchange';
import type { ExchangeLog } from '../../../domain/exchanges/ports';
import type { Integration } from '../../../domain/partners/integration';
import type { ErrorCode } from '../../../domain/shared/error-catalogue';
import { InvalidInput, type FieldProblem } from '../../../domain/shared/errors';
import { type Json, JsonObject, jsonEquals } from '../../../domain/shared/json';
import { limitedAddress } from '../../../domain/shared/limited-address';
import type { Clock, IdSource } from '../../../domain/shared/ports';
import { readFacts } from '../../facts/read-facts';
import { sendJson, type Answer } from './answer';
import { readObject, readObjectOrList, readQuery } from './body';
import { answerOnce, idempotencyKeyOf, idempotentCall, type IdempotencyTools } from './idempotency-step';
import type { AddressOf } from './caller-address';
import { requireOneHost } from './one-host';
import type { Shed } from './overload';
import { setRateHeaders } from './rate-headers';
import { refusalFloor } from './refusal-floor';
import { contextOf, type RequestContext } from './request-context';

/** What the steps before an action hand on to it. */
export interface Admitted<Facts> {
  readonly relay: Relay;
  readonly integration: Integration;
  /** The body's (or query's) fields that the route declares, validated. */
  readonly facts: Facts;
  /** The body as it was read: what is relayed is taken from here, untouched. An empty object where there is none. */
  readonly body: Json;
  readonly address: string;
  /** The caller's Idempotency-Key; absent: none was sent. */
  readonly idempotencyKey?: string;
}

/** What an action makes of an admitted call: a status of 2xx and JSON, or the JSON of a 200. */
export type Action<Facts> = (admitted: Admitted<Facts>) => Promise<Json | Answer>;

/**
 * Where a route's input stands. `either`: in the query or, where there is one, in the body (revoke). `headers`: the ids in
 * X-Hostapp-Client-Id and X-Miniapp-App-Id, and any JSON object or list in the body (analytics).
 */
export type InputPlace = 'body' | 'query' | 'either' | 'headers';

/** One endpoint of the API, whole: what it asks of its caller, where its input stands, what it does. */
export interface RelayRoute<Facts extends object = object> {
  /** The name in logs, limits and exchange records. */
  readonly call: string;
  readonly methods: readonly ('GET' | 'POST' | 'DELETE')[];
  /** Express patterns under /api/v1, without the final slash. */
  readonly paths: readonly string[];
  readonly input: InputPlace;
  readonly policy: CredentialPolicy;
  /** Called by browsers: CORS, and a limit a minute for the pair and the caller's address. */
  readonly fromBrowsers: boolean;
  /** Leaves an exchange record. */
  readonly recorded: boolean;
  /** How long the whole inbound call may take. */
  readonly deadline: 'sso' | 'payment';
  /** When it is refused, as more comes in than can be done. */
  readonly shed: Shed;
  /** The code of a field that breaks a rule; INVALID_INPUT unless given. The ids always have INVALID_INPUT. */
  readonly invalidCode?: ErrorCode;
  readonly Facts: new () => Facts;
  readonly action: Action<Facts>;
}

/** What every route works with. */
export interface RouteTools {
  readonly admit: AdmitCall;
  readonly limiter: RateLimiter;
  readonly exchanges: ExchangeLog;
  readonly keepRefused: KeepRefusedRequest;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly idempotency: IdempotencyTools;
  readonly addressOf: AddressOf;
  /** Milliseconds that a whole inbound call may take. */
  readonly timeoutMs: Readonly<Record<RelayRoute['deadline'], number>>;
}

/** A request that was read whole. */
export interface Received {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** The request target as sent: path and query. */
  readonly target: string;
  /** What stands in the path by name. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: Uint8Array;
}

/** The steps of an inbound call, in the order of decisions §1. Any refusal leaves through `refuse`. */
export function relayHandler<Facts extends object>(route: RelayRoute<Facts>, tools: RouteTools): (received: Received) => Promise<void> {
  // Names of limits are those of settings: no slash.
  const limit = route.call.replace('/', '_');
  return async (received) => {
    requireOneHost(received.req);
    const { res } = received;
    const context = contextOf(res);
    const trace = new ExchangeTrace();
    const request = inboundOf(received, tools.addressOf(received.req));
    if (route.recorded) context.whenClosed.push((ms) => recordExchange(route, tools, res, { trace, request, ms }));

    const { members, body } = readInput(route.input, received);
    const ids = readIds(members, { context, place: route.input });
    if (route.fromBrowsers) setRateHeaders(res, await tools.limiter.count({ limit, subject: subjectOf(ids, request) }));

    const { requestId, traceparent, at, span, time } = context;
    const origin = span && { call: span.traceparent };
    const deadline = at + tools.timeoutMs[route.deadline];
    const relay: Relay = { requestId, traceparent, deadline, trace, origin, time };
    const mayRefuse = route.policy.basic === 'never' ? undefined : refusalFloor();
    let integration: Integration;
    try {
      integration = await tools.admit.execute({ relay, policy: route.policy, ids, request });
    } catch (refused) {
      await mayRefuse;
      throw refused;
    }
    const { facts, problems } = readFacts(route.Facts, members);
    if (problems.length > 0) throw new InvalidInput(problems, route.invalidCode);

    const key = idempotencyKeyOf(route.policy, request);
    const admitted = { relay, integration, facts, body, address: request.remoteAddress };
    if (key === undefined) {
      sendJson(res, asAnswer(await route.action(admitted)));
      return;
    }
    const call = idempotentCall(route.policy, ids, request, { integrationId: integration.id, key });
    const act = async (): Promise<Answer> => asAnswer(await route.action({ ...admitted, idempotencyKey: key }));
    await answerOnce(res, { call, request, relay }, tools.idempotency, act);
  };
}

/** A call whose body was not read, as it was too large or broke off: that it came is recorded all the same. */
export function recordUnread(route: RelayRoute, tools: RouteTools, res: ServerResponse): void {
  if (route.recorded) contextOf(res).whenClosed.push((ms) => recordExchange(route, tools, res, { trace: new ExchangeTrace(), ms }));
}

const inboundOf = ({ req, target, body }: Received, remoteAddress: string): InboundRequest => ({
  method: req.method ?? '',
  target,
  rawHeaders: req.rawHeaders,
  body,
  remoteAddress,
});

/** What a call brings: the members that ids and facts are read from, and the body as it was read. */
interface Input {
  readonly members: JsonObject;
  readonly body: Json;
}

function readInput(place: InputPlace, { req, target, params, body: bytes }: Received): Input {
  const contentType = req.headers['content-type'];
  if (place === 'headers') return { members: idHeaders(req.rawHeaders), body: readObjectOrList(bytes, contentType) };
  const hasBody = place === 'body' || (place === 'either' && bytes.length > 0);
  const body = hasBody ? readObject(bytes, contentType) : new JsonObject(new Map());
  const given = Object.entries(params) as [string, Json][];
  if (place !== 'body') given.unshift(...readQuery(target).members);
  if (given.length === 0) return { members: body, body };
  const members = new Map(body.members);
  for (const [name, value] of given) {
    if (members.has(name) && !jsonEquals(members.get(name), value))
      throw new InvalidInput([{ path: name, rule: 'given twice, differently' }]);
    members.set(name, value);
  }
  return { members: new JsonObject(members), body };
}

/** The ids out of their headers, each sent once at most. */
function idHeaders(rawHeaders: readonly string[]): JsonObject {
  const id = (name: string): string | undefined => headerOnce({ rawHeaders }, name);
  return JsonObject.of({ client_id: id(headerOf.client_id), app_id: id(headerOf.app_id) });
}

const headerOf = { client_id: 'X-Hostapp-Client-Id', app_id: 'X-Miniapp-App-Id' } as const;

const asAnswer = (given: Json | Answer): Answer =>
  typeof given === 'object' && given !== null && 'status' in given ? given : { status: 200, body: given };

/** Both ids, well formed, or INVALID_INPUT: nothing is looked up by an id that is not one. */
function readIds(members: JsonObject, { context, place }: { context: RequestContext; place: InputPlace }): PairIds {
  const problems: FieldProblem[] = [];
  const read = (name: keyof typeof headerOf): string => {
    const value = members.get(name);
    if (typeof value === 'string' && idForm.test(value)) return value;
    problems.push({
      path: place === 'headers' ? headerOf[name] : name,
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

const idForm = /^[A-Za-z0-9._-]{1,64}$/;

const subjectOf = ({ clientId, appId }: PairIds, { remoteAddress }: InboundRequest): string =>
  JSON.stringify([clientId, appId, limitedAddress(remoteAddress)]);

function recordExchange(
  { call }: Pick<RelayRoute, 'call'>,
  { exchanges, keepRefused, ids }: RouteTools,
  res: ServerResponse,
  { trace, request, ms }: { readonly trace: ExchangeTrace; readonly request?: InboundRequest; readonly ms: number },
): void {
  const context = contextOf(res);
  const { requestId, at, clientId, appId, ending } = context;
  const about = { id: ids.next(), requestId, call, clientId, appId, at, ms };
  context.exchangeId = about.id;
  exchanges.append(trace.record(about, ending ?? { status: res.statusCode }));
  const partner = trace.signatureRefusedBy;
  if (partner && request) void keepRefused.execute({ exchangeId: about.id, partner, request, receivedAt: at });
}
