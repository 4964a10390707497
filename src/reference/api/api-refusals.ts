import { statusOf } from '../../adapters/in/http/error-handler';
import type { ApiRoute } from '../../adapters/in/http/api/api-route';
import { catalogue, type CatalogueEntry, type ErrorCode } from '../../domain/shared/error-catalogue';
import type { ErrorKind } from '../../domain/shared/error-kind';
import type { assemble } from '../assemble';
import type { Operation } from '../description';
import { errorAdvice } from '../errors/error-advice';
import {
  anything,
  count,
  flag,
  list,
  members,
  object,
  oneOf,
  ref,
  text,
  whole,
  type Member,
  type Members,
  type Schema,
} from '../../adapters/dto/schema';
import type { ApiCall } from './api-calls';

/** Headers of a call with a rate limit. */
export const rateHeaders: Members = {
  'RateLimit-Limit': [count, 'Calls that are allowed within the time of the limit.'],
  'RateLimit-Remaining': [count, 'Calls that the caller has left until the limit begins anew.'],
  'RateLimit-Reset': [count, 'Seconds until the limit begins anew.'],
};
const retryAfter: Members = { 'Retry-After!': [{ ...whole, minimum: 1 }, 'Seconds after which the same call may be tried again.'] };
const retryLater: Members = {
  'Retry-After': [
    { ...whole, minimum: 1 },
    'Seconds after which to try again; there only if nothing was sent to the partner, as it is saturated or its circuit is open.',
  ],
};

/** Marks headers as always present. */
export const always = (headers: Members): Members =>
  Object.fromEntries(Object.entries(headers).map(([name, member]) => [`${name}!`, member]));
/** Headers of a call that accepts an Idempotency-Key. */
export const replayed: Members = {
  'Idempotency-Replayed': [
    { ...text, const: 'true' },
    'There if this is the kept answer to an earlier call with the same `Idempotency-Key`.',
  ],
};

/** All refusal codes of a route: those that its declaration implies, and those of its action. */
function codesOf(route: ApiRoute, { codes = [] }: ApiCall): ReadonlySet<ErrorCode> {
  const { policy, input, fromBrowsers, invalidCode } = route;
  const found = new Set<ErrorCode>([
    'INVALID_INPUT',
    'NO_INTEGRATION',
    'UNKNOWN_ERROR',
    'SERVICE_UNAVAILABLE',
    'HOSTAPP_NOT_FOUND',
    'MINIAPP_NOT_FOUND',
    ...codes,
  ]);
  const add = (...more: readonly ErrorCode[]): void => more.forEach((code) => found.add(code));
  if (invalidCode) add(invalidCode);
  // The size limit also applies to the body of a query, although it is not read.
  if (input !== 'query') add('PARSING_ERROR_INVALID_REQUEST_BODY', 'UNSUPPORTED_MEDIA_TYPE');
  add('PAYLOAD_TOO_LARGE');
  if (policy.caller !== 'anyone') {
    add('MISSING_HEADER', 'INVALID_SIGNATURE', 'SIGNATURE_VALIDATION_ERROR', 'MISSING_REQUEST_SIGNATURE_SETTINGS', 'NOT_A_WHITELISTED_IP');
    if (route.methods.includes('POST')) add('IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH');
  }
  if (policy.basic !== 'never' || policy.whenEmpty === 'refused' || policy.hostApp) add('ACCESS_DENIED');
  if (fromBrowsers || policy.basic !== 'never' || policy.hostApp) add('RATE_LIMITED');
  if (policy.feature) {
    add('HOSTAPP_INTEGRATION_NOT_SET', 'MINIAPP_INTEGRATION_NOT_SET');
    add('FEATURE_DISABLED_IN_HOSTAPP', 'FEATURE_DISABLED_IN_MINIAPP', 'FEATURE_DISABLED_IN_INTEGRATION');
  }
  return found;
}

/** A route's refusal codes by status. */
export function refusalsOf(route: ApiRoute, call: ApiCall): Readonly<Record<number, readonly ErrorCode[]>> {
  const codes = codesOf(route, call);
  const found: Record<number, ErrorCode[]> = {};
  for (const [code, { kinds }] of Object.entries(catalogue) as [ErrorCode, CatalogueEntry][]) {
    if (!codes.has(code)) continue;
    for (const status of new Set(kinds.filter((kind) => applies(code, kind, route)).map((kind) => statusOf[kind])))
      (found[status] ??= []).push(code);
  }
  return found;
}

/** ACCESS_DENIED has two statuses: wrong credentials, or an endpoint that needs credentials of a miniapp that has none. */
const applies = (code: ErrorCode, kind: ErrorKind, { policy }: ApiRoute): boolean =>
  code !== 'ACCESS_DENIED' ||
  (kind === 'forbidden' ? policy.whenEmpty === 'refused' : policy.basic !== 'never' || policy.hostApp !== undefined);

const brokenField = members({
  path: [text, 'Path of the field in the body, such as `order.items[0].price`.'],
  rule: [text, 'Rule that the field breaks, in a short stable phrase.'],
});

const attributes = {
  'request_id?': [text, 'Value of `X-Request-Id`, by which both partners and the service find the call.'],
  'retryable?': [flag, 'Whether the same call, unchanged, may succeed later.'],
  'side?': [oneOf('hostapp', 'miniapp', 'platform'), 'Party that has to act.'],
  'step?': [text, 'Call to a partner that failed, such as `exchange` or `webhook`; absent where the reason lies elsewhere.'],
  'fields?': [list(brokenField), 'Every field that breaks a rule.'],
  'setting?': [text, 'Setting that is missing or off, such as `access_token_url`.'],
  'cause?': [text, 'Reason in one stable word, such as `timeout`, where the code has several.'],
  'address?': [text, "The caller's own address, where the allowlist refused it."],
  'outcome?': [text, '`unknown`: the partner may have acted, so the call must not be repeated blindly.'],
} satisfies Record<string, Member>;

const errorCode: Member = [text, 'Name of the reason, for programs; it stays. A code of a partner comes unchanged.'];

/** Named schemas of refusals. */
export const refusalShapes: Readonly<Record<string, Schema>> = {
  Error: object('Why a call was refused.', {
    error_code: errorCode,
    error_message: [text, 'Sentence for people; its words may change.'],
    'exception?': [
      text,
      "A partner's own `exception`, at most 250 characters; of the service the name of a fault, while `EXPOSE_EXCEPTIONS` is on.",
    ],
    'custom_attributes?': [ref('ErrorAttributes'), 'Context of the refusal: the members that the service knows, and those of the partner.'],
  }),
  ErrorAttributes: {
    ...object('Context of a refusal. Members of a partner may come beside these.', attributes),
    additionalProperties: true,
  },
  RelayedRefusal: {
    ...object('A refusal of the host app with all its members, as it came.', {
      error_code: errorCode,
      'error_message?': [anything, 'In the words of the host app; where it sent none, the sentence of the catalogue.'],
      'custom_attributes?': [
        anything,
        "The host app's own; where they are an object, members of the service are added and never replace one.",
      ],
    }),
    additionalProperties: true,
  },
};

function refusalBody(status: number, codes: readonly string[], more: Operation['more']): Schema {
  if (status !== 400 || more?.['x-relays-codes'] !== true)
    return {
      ...ref('Error'),
      properties: { error_code: { ...text, enum: codes, description: 'One of the codes that this call refuses with at this status.' } },
    };
  return more['x-relays-refusals'] === true ? { anyOf: [ref('Error'), ref('RelayedRefusal')] } : ref('Error');
}

/** Refusals of a call that has started or ended: they come after the limit was counted, and are stored under an Idempotency-Key. */
const ofTheCall: readonly number[] = [400, 500, 503];

/** The message for people does not explain a fault, so the advice is used. */
const meaningOf = (code: ErrorCode): string => (code === 'UNKNOWN_ERROR' ? errorAdvice[code].cause : `${catalogue[code].meaning}.`);

/** Describes a refusal of the API. */
export const refusal: Parameters<typeof assemble>[0]['refusal'] = (status, codes, { more, refusalHeaders }) => ({
  description: codes.map((code) => `\`${code}\`: ${meaningOf(code as ErrorCode)}`).join('\n\n'),
  schema: refusalBody(status, codes, more),
  headers: {
    ...(ofTheCall.includes(status) && refusalHeaders),
    ...(status === 401 && { 'WWW-Authenticate!': [text, '`Basic` or `Signature`: what would prove the caller.'] as const }),
    ...((status === 429 || status === 503) && retryAfter),
    ...(codes.includes('UNEXPECTED_RESPONSE_ERROR') && retryLater),
    ...(status === 429 && always(rateHeaders)),
  },
  'x-error-codes': codes,
});
