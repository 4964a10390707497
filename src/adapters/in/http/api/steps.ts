import type { RequestHandler } from 'express';
import type { Relay } from '../../../../domain/exchanges/exchange';
import { InvalidInput } from '../../../../domain/shared/errors';
import { limitedAddress } from '../../../../domain/shared/limited-address';
import { readDto } from '../../../dto/read-dto';
import { sendJson, type Answer } from '../answer';
import { readBytes } from '../reading/body';
import { isOverdue } from '../deadlines/answers-in-time';
import { refuse } from '../error-handler';
import { answerOnce, idempotencyKeyOf, idempotentCall } from '../reading/idempotency-step';
import { requireOneHost } from '../one-host';
import { setRateHeaders } from '../reading/rate-headers';
import { refusalFloor } from '../admission/refusal-floor';
import { contextOf } from '../request-context';
import { patternOf } from '../reading/route-pattern';
import { ApiCall, callOf, openCall } from './api-call';
import type { Admitted, ApiRoute, ApiTools } from './api-route';
import { readCallInput, readPairIds } from './call-input';

/** Makes the middleware for one step of a route. It calls `next` to continue and throws to refuse; the error handler answers. */
export type Step = (route: ApiRoute, tools: ApiTools) => RequestHandler;

/** Sets the call's name in the log line, the metrics and the trace. */
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

/** Appends an exchange record once the response is finished or the caller has disconnected. */
export const recordExchange: Step = (route, tools) => (_req, res, next) => {
  const call = openCall(res, new ApiCall());
  if (route.recorded) contextOf(res).whenClosed.push((ms) => call.record(route, tools, { res, ms }));
  next();
};

/** Reads the body as bytes. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE and the rest of `BodyReader`. */
export const readBody: Step = (_route, { bodies }) => readBytes(bodies);

/**
 * Counts the call as running and starts its deadline. The time to read the body is not included, so slow senders do not count against
 * others.
 */
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

/** Starts calls that were read in the same turn of the event loop together (ADR 046). */
export const startTogether: Step =
  (_route, { turnEnd }) =>
  (_req, _res, next) => {
    turnEnd.schedule(next);
  };

/** Builds the request that the credential checks work on. Throws INVALID_INPUT where it names two hosts. */
export const readRequest: Step =
  (_route, { addressOf }) =>
  (req, res, next) => {
    requireOneHost(req);
    const { method, originalUrl: target, rawHeaders } = req;
    callOf(res).request = { method, target, rawHeaders, body: req.body as Uint8Array, remoteAddress: addressOf(req) };
    next();
  };

/** Reads the input as lossless JSON, and the two ids from it. Throws what `readObject` and `readQuery` throw, and INVALID_INPUT. */
export const readInput: Step =
  ({ input }) =>
  async (req, res, next) => {
    const call = callOf(res);
    const sent = { request: call.request, params: req.params, contentType: req.headers['content-type'] };
    const { members, body } = await readCallInput(input, sent);
    call.members = members;
    call.body = body;
    call.ids = readPairIds(members, { context: contextOf(res), source: input });
    next();
  };

/** Limits browser calls per minute, for each integration and caller address. Throws RATE_LIMITED. */
export const limitBrowsers: Step = ({ call, fromBrowsers }, { limiter }) => {
  // The limit's name is also a setting's name, which cannot contain a slash.
  const limit = call.replace('/', '_');
  return async (_req, res, next) => {
    if (fromBrowsers) setRateHeaders(res, await limiter.count({ limit, subject: subjectOf(callOf(res)) }));
    next();
  };
};

const subjectOf = ({ ids: { clientId, appId }, request }: ApiCall): string =>
  JSON.stringify([clientId, appId, limitedAddress(request.remoteAddress)]);

/**
 * Checks the caller's credentials, the other party, the integration and its features, in the order of contract/conventions#order-of-checks.
 * Throws what AdmitCall throws.
 */
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

/** Validates the fields that the route declares. Throws INVALID_INPUT or the route's own code, with every field that breaks a rule. */
export const readFields: Step =
  ({ Dto, invalidCode }) =>
  (_req, res, next) => {
    const call = callOf(res);
    const { dto: fields, problems } = readDto(Dto, call.members);
    if (problems.length > 0) throw new InvalidInput(problems, invalidCode);
    call.fields = fields;
    next();
  };

/** Runs the use case and sends its answer. A repeated Idempotency-Key gets the first answer again. Throws what the use case throws. */
export const act: Step =
  ({ policy, action }, { idempotency }) =>
  async (_req, res) => {
    const { relay, integration, fields, body, request, ids } = callOf(res);
    const key = idempotencyKeyOf(policy, request);
    const admitted: Admitted<object> = { relay, integration, fields, body, address: request.remoteAddress, idempotencyKey: key };
    if (key === undefined) {
      const answer = asAnswer(await action(admitted));
      if (!isOverdue(res)) await sendJson(res, answer);
      return;
    }
    const call = idempotentCall(policy, ids, request, { integrationId: integration.id, key });
    await answerOnce(res, { call, request, relay }, idempotency, async () => asAnswer(await action(admitted)));
  };

const asAnswer = (given: Awaited<ReturnType<ApiRoute['action']>>): Answer =>
  typeof given === 'object' && given !== null && 'status' in given ? given : { status: 200, body: given };
