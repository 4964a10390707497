import type { RequestHandler } from 'express';
import type { Relay } from '../../../../domain/exchanges/exchange';
import { InvalidInput } from '../../../../domain/shared/errors';
import { limitedAddress } from '../../../../domain/shared/limited-address';
import { readDto } from '../../../dto/read-dto';
import { sendJson, type Answer } from '../answer';
import { readBytes } from '../body';
import { isOverdue } from '../deadlines/answers-in-time';
import { refuse } from '../error-handler';
import { answerOnce, idempotencyKeyOf, idempotentCall } from '../idempotency-step';
import { requireOneHost } from '../one-host';
import { setRateHeaders } from '../rate-headers';
import { refusalFloor } from '../refusal-floor';
import { contextOf } from '../request-context';
import { patternOf } from '../route-pattern';
import { ApiCall, callOf, openCall } from './api-call';
import type { Admitted, ApiRoute, ApiTools } from './api-route';
import { readCallInput, readPairIds } from './call-input';

/** Makes one step of a route. It hands over to the next by `next`, and refuses by throwing: the error handler answers. */
export type Step = (route: ApiRoute, tools: ApiTools) => RequestHandler;

/** Names the call in its log line, in the metrics, and in its trace. */
export const nameCall: Step = (route, { tracing }) => {
  const routeOf = patternOf(route);
  return (req, res, next) => {
    const context = contextOf(res);
    const { requestId, traceparent } = context;
    context.call = route.call;
    if (tracing) context.span = tracing.call({ method: req.method, route: routeOf(req.originalUrl), requestId, traceparent });
    next();
  };
};

/** Leaves an exchange record once the answer has left, or the caller. */
export const recordExchange: Step = (route, tools) => (_req, res, next) => {
  const call = openCall(res, new ApiCall());
  if (route.recorded) contextOf(res).whenClosed.push((ms) => call.record(route, tools, { res, ms }));
  next();
};

/** Reads the body as bytes. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE and the rest of `BodiesUnderWay`. */
export const readBody: Step = (_route, { bodies }) => readBytes(bodies);

/** From here on the call counts as running, and its answer is due: slow senders take no place of others. */
export const startDeadline: Step =
  (_route, { overload, inTime, log, exposeExceptions }) =>
  (req, res, next) => {
    const context = contextOf(res);
    overload.begin();
    context.whenClosed.push(() => overload.end());
    const { time, end } = inTime.watch(req, res, (error) => refuse(error, req, res, { log, exposeExceptions }));
    context.time = time;
    context.whenClosed.push(end);
    next();
  };

/** Calls that were read in one turn of the event loop go on together (ADR 046). */
export const startTogether: Step =
  (_route, { endOfTurn }) =>
  (_req, _res, next) => {
    endOfTurn.begin(next);
  };

/** The request as its credentials are checked. Throws INVALID_INPUT where it names two hosts. */
export const readRequest: Step =
  (_route, { addressOf }) =>
  (req, res, next) => {
    requireOneHost(req);
    const { method, originalUrl: target, rawHeaders } = req;
    callOf(res).request = { method, target, rawHeaders, body: req.body as Uint8Array, remoteAddress: addressOf(req) };
    next();
  };

/** The input as lossless JSON, and the two ids in it. Throws what `readObject` and `readQuery` throw, and INVALID_INPUT. */
export const readInput: Step =
  ({ input }) =>
  (req, res, next) => {
    const call = callOf(res);
    const { members, body } = readCallInput(input, { request: call.request, params: req.params, contentType: req.headers['content-type'] });
    call.members = members;
    call.body = body;
    call.ids = readPairIds(members, { context: contextOf(res), place: input });
    next();
  };

/** A limit a minute for the pair and the caller's address, where browsers call. Throws RATE_LIMITED. */
export const limitBrowsers: Step = ({ call, fromBrowsers }, { limiter }) => {
  // Names of limits are those of settings: no slash.
  const limit = call.replace('/', '_');
  return async (_req, res, next) => {
    if (fromBrowsers) setRateHeaders(res, await limiter.count({ limit, subject: subjectOf(callOf(res)) }));
    next();
  };
};

const subjectOf = ({ ids: { clientId, appId }, request }: ApiCall): string =>
  JSON.stringify([clientId, appId, limitedAddress(request.remoteAddress)]);

/** The caller's credentials, the other party, the integration and its features, in the order of contract/conventions#order-of-checks. Throws what AdmitCall throws. */
export const authenticate: Step = ({ policy, deadline }, { admit, timeoutMs }) => {
  return async (_req, res, next) => {
    const call = callOf(res);
    const { requestId, traceparent, at, span, time } = contextOf(res);
    const origin = span && { call: span.traceparent };
    const relay: Relay = { requestId, traceparent, deadline: at + timeoutMs[deadline], trace: call.trace, origin, time };
    call.relay = relay;
    const mayRefuse = policy.basic === 'never' ? undefined : refusalFloor();
    try {
      call.integration = await admit.execute({ relay, policy, ids: call.ids, request: call.request });
    } catch (refused) {
      await mayRefuse;
      throw refused;
    }
    next();
  };
};

/** The fields that the route declares. Throws INVALID_INPUT or the route's own code, with each field that breaks a rule. */
export const readFields: Step =
  ({ Facts, invalidCode }) =>
  (_req, res, next) => {
    const call = callOf(res);
    const { dto: facts, problems } = readDto(Facts, call.members);
    if (problems.length > 0) throw new InvalidInput(problems, invalidCode);
    call.facts = facts;
    next();
  };

/** The use case and its answer; with an Idempotency-Key once, and then the answer of that time. Throws what the use case throws. */
export const act: Step =
  ({ policy, action }, { idempotency }) =>
  async (_req, res) => {
    const { relay, integration, facts, body, request, ids } = callOf(res);
    const key = idempotencyKeyOf(policy, request);
    const admitted: Admitted<object> = { relay, integration, facts, body, address: request.remoteAddress };
    if (key === undefined) {
      const answer = asAnswer(await action(admitted));
      if (!isOverdue(res)) sendJson(res, answer);
      return;
    }
    const call = idempotentCall(policy, ids, request, { integrationId: integration.id, key });
    await answerOnce(res, { call, request, relay }, idempotency, async () => asAnswer(await action({ ...admitted, idempotencyKey: key })));
  };

const asAnswer = (given: Awaited<ReturnType<ApiRoute['action']>>): Answer =>
  typeof given === 'object' && given !== null && 'status' in given ? given : { status: 200, body: given };
