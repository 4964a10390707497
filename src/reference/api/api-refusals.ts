import { statusOf } from '../../adapters/in/http/error-handler';
import type { ApiRoute } from '../../adapters/in/http/api/api-route';
import { catalogue, type CatalogueEntry, type ErrorCode } from '../../domain/shared/error-catalogue';
import type { ErrorKind } from '../../domain/shared/error-kind';
import type { assemble } from '../assemble';
import type { Operation } from '../description';
import { anything, count, flag, list, members, oneOf, ref, text, whole, type Schema } from '../schema';
import type { ApiCall } from './api-calls';

/** Of a call whose number is limited. */
export const rateHeaders: Readonly<Record<string, Schema>> = {
  'RateLimit-Limit': { ...count, description: 'Calls that are allowed in the time of the limit.' },
  'RateLimit-Remaining': { ...count, description: 'Calls that are left.' },
  'RateLimit-Reset': { ...count, description: 'Seconds until it begins anew.' },
};
const retryAfter = { 'Retry-After!': { ...whole, minimum: 1, description: 'Seconds after which it may be tried again.' } };
const retryLater = {
  'Retry-After': { ...whole, minimum: 1, description: 'Where nothing was sent to the partner, as it is saturated or its circuit is open.' },
};

/** Headers that are always there. */
export const always = (headers: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> =>
  Object.fromEntries(Object.entries(headers).map(([name, schema]) => [`${name}!`, schema]));
/** Of a call that takes an Idempotency-Key. */
export const replayed: Readonly<Record<string, Schema>> = {
  'Idempotency-Replayed': { ...text, const: 'true', description: 'The answer was kept, and is repeated.' },
};

/** The codes that a route can refuse with: those that follow from how it is declared, and those of its action. */
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
  // A query has no body; whatever comes as one is measured all the same.
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

/** The codes of a route's refusals, by status. */
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

/** One code has two statuses: the credentials are wrong, or the endpoint needs some and the miniapp has none. */
const applies = (code: ErrorCode, kind: ErrorKind, { policy }: ApiRoute): boolean =>
  code !== 'ACCESS_DENIED' ||
  (kind === 'forbidden' ? policy.whenEmpty === 'refused' : policy.basic !== 'never' || policy.hostApp !== undefined);

/** Of the Error body. */
export const attributes = members({
  'request_id?': text,
  'retryable?': flag,
  'side?': oneOf('hostapp', 'miniapp', 'platform'),
  'step?': text,
  'fields?': list(members({ path: text, rule: text })),
  'setting?': text,
  'cause?': text,
  'address?': text,
  'outcome?': text,
});

export const relayedRefusal: Schema = {
  ...members({ error_code: text, 'error_message?': anything, 'custom_attributes?': anything }),
  additionalProperties: true,
  description:
    'A refusal of the host app, as it came; where its `custom_attributes` are an object, those of the Error body beside its own.',
};

function refusalBody(status: number, codes: readonly string[], more: Operation['more']): Schema {
  if (status !== 400 || more?.['x-relays-codes'] !== true) return { ...ref('Error'), properties: { error_code: { ...text, enum: codes } } };
  return more['x-relays-refusals'] === true ? { anyOf: [ref('Error'), ref('RelayedRefusal')] } : ref('Error');
}

/** Refusals of calls that were done, or begun: after the limit was counted, and kept under an Idempotency-Key. */
const ofTheCall: readonly number[] = [400, 500, 503];

/** How a refusal of the API is described. */
export const refusal: Parameters<typeof assemble>[0]['refusal'] = (status, codes, { more, refusalHeaders }) => ({
  says: codes.map((code) => `\`${code}\`: ${catalogue[code as ErrorCode].meaning}.`).join('\n\n'),
  schema: refusalBody(status, codes, more),
  headers: {
    ...(ofTheCall.includes(status) && refusalHeaders),
    ...(status === 401 && { 'WWW-Authenticate!': { ...text, description: '`Basic` or `Signature`: what would prove the caller.' } }),
    ...((status === 429 || status === 503) && retryAfter),
    ...(codes.includes('UNEXPECTED_RESPONSE_ERROR') && retryLater),
    ...(status === 429 && always(rateHeaders)),
  },
  'x-error-codes': codes,
});
