import { TransactionDto } from '../../adapters/in/http/api/analytics.dto';
import { UserDataDto } from '../../adapters/in/http/api/sign-on.dto';
import { statusOf } from '../../adapters/in/http/error-handler';
import type { RelayRoute } from '../../adapters/in/http/relay-route';
import { apiRoutes, type Controllers } from '../../adapters/in/http/routes';
import { catalogue, type CatalogueEntry, type ErrorCode } from '../../domain/shared/error-catalogue';
import type { ErrorKind } from '../../domain/shared/error-kind';
import { assemble } from '../assemble';
import { NamedSchemas } from '../class-schema';
import type { Given, OpenApiDocument, Operation } from '../description';
import { errorAdvice } from '../errors/error-advice';
import { anyObject, anything, count, flag, list, members, oneOf, ref, text, whole, type Schema } from '../schema';
import { apiCalls, apiShapes, type ApiCall } from './api-calls';
import { apiGlossary, apiIntroduction, signatureHeaders } from './api-glossary';

const ids = { client_id: { ...text, pattern: '^[A-Za-z0-9._-]{1,64}$' }, app_id: { ...text, pattern: '^[A-Za-z0-9._-]{1,64}$' } };
const everyHeader = {
  'X-Request-Id!': { ...text, description: "The caller's, where it is 1 to 128 characters of `[A-Za-z0-9._-]`; else a new one." },
};
const rateHeaders: Readonly<Record<string, Schema>> = {
  'RateLimit-Limit': { ...count, description: 'Calls that are allowed in the time of the limit.' },
  'RateLimit-Remaining': { ...count, description: 'Calls that are left.' },
  'RateLimit-Reset': { ...count, description: 'Seconds until it begins anew.' },
};
const retryAfter = { 'Retry-After!': { ...whole, minimum: 1, description: 'Seconds after which it may be tried again.' } };

const always = (headers: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> =>
  Object.fromEntries(Object.entries(headers).map(([name, schema]) => [`${name}!`, schema]));
const replayed: Readonly<Record<string, Schema>> = {
  'Idempotency-Replayed': { ...text, const: 'true', description: 'The answer was kept, and is repeated.' },
};

/** Every route of the API as the service declares it. Nobody is behind them: they are described, not served. */
export const declaredRoutes = (): readonly RelayRoute[] => {
  const nobody = { signOn: {}, consent: {}, partnerLogin: {}, orders: {}, events: {}, analytics: {} };
  return apiRoutes(nobody as unknown as Controllers);
};

/** The codes that a route can refuse with: those that follow from how it is declared, and those of its action. */
export function codesOf(route: RelayRoute, { codes = [] }: ApiCall): ReadonlySet<ErrorCode> {
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
  if (policy.basic !== 'never' || policy.whenEmpty === 'refused' || policy.sender) add('ACCESS_DENIED');
  if (fromBrowsers || policy.basic !== 'never' || policy.sender) add('RATE_LIMITED');
  if (policy.feature) {
    add('HOSTAPP_INTEGRATION_NOT_SET', 'MINIAPP_INTEGRATION_NOT_SET');
    add('FEATURE_DISABLED_IN_HOSTAPP', 'FEATURE_DISABLED_IN_MINIAPP', 'FEATURE_DISABLED_IN_INTEGRATION');
  }
  return found;
}

function refusalsOf(route: RelayRoute, call: ApiCall): Readonly<Record<number, readonly ErrorCode[]>> {
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
const applies = (code: ErrorCode, kind: ErrorKind, { policy }: RelayRoute): boolean =>
  code !== 'ACCESS_DENIED' ||
  (kind === 'forbidden' ? policy.whenEmpty === 'refused' : policy.basic !== 'never' || policy.sender !== undefined);

function operationsOf(route: RelayRoute, schemas: NamedSchemas): Operation[] {
  const call = apiCalls[route.call];
  if (!call) throw new Error(`Nobody describes the call ${route.call}`);
  const [path = '', ...others] = route.paths.map((one) => `${one.replace(/:(\w+)/g, '{$1}')}/`);
  const { gives, or, tag, says, more } = call;
  return route.methods.map((method) => {
    const takesKey = method === 'POST' && route.policy.caller !== 'anyone';
    const headers = { ...(route.fromBrowsers && always(rateHeaders)), ...(takesKey && replayed) };
    const given: Given = { says: 'The answer.', schema: gives, headers, example: call.answer };
    return {
      ...{
        at: `${method} ${path}`,
        id: method === 'DELETE' ? `${call.id}ByDelete` : call.id,
        tag,
        summary: says,
        description: `${call.by} calls. ${more}`,
      },
      ...inputOf(route, call, schemas),
      headers: requestHeaders(route, takesKey),
      gives: { 200: given, ...(or && { [or.status]: { says: or.says, schema: or.schema, headers, example: or.example } }) },
      refusals: refusalsOf(route, call),
      refusalHeaders: { ...(route.fromBrowsers && rateHeaders), ...(takesKey && replayed) },
      security: securityOf(route),
      more: {
        'x-call': route.call,
        ...(others.length > 0 && { 'x-also-served-at': others }),
        ...(call.relays && { 'x-relays-codes': true }),
        ...(call.relays === 'whole' && { 'x-relays-refusals': true }),
      },
    };
  });
}

function inputOf({ input, Facts }: RelayRoute, call: ApiCall, schemas: NamedSchemas): Pick<Operation, 'query' | 'body'> {
  const facts = schemas.read(Facts);
  const properties = { ...ids, ...facts.properties };
  const required = ['client_id', 'app_id', ...((facts['required'] as string[] | undefined) ?? [])];
  const whole: Schema = { type: 'object', properties, required, ...(call.openBody && { additionalProperties: true }) };
  const asQuery = (all: readonly string[]) =>
    Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => !(call.id === 'getMiniappSettings' && name === 'app_id'))
        .map(([name, schema]) => [all.includes(name) ? `${name}!` : name, schema]),
    );
  if (input === 'query') return { query: asQuery(required) };
  if (input === 'either')
    return { query: asQuery([]), body: { schema: { ...whole, required: undefined }, optional: true, example: call.example } };
  return { body: { schema: call.body ?? whole, example: call.example } };
}

function requestHeaders({ policy, input }: RelayRoute, takesKey: boolean): Readonly<Record<string, Schema>> {
  return {
    ...(input === 'headers' && { 'X-Hostapp-Client-Id!': ids.client_id, 'X-Miniapp-App-Id!': ids.app_id }),
    ...(takesKey && { 'Idempotency-Key': { ...text, minLength: 1, maxLength: 255 } }),
    ...(policy.caller !== 'anyone' && signatureHeaders),
    'X-Request-Id': text,
    traceparent: text,
  };
}

function securityOf({ policy }: RelayRoute): Operation['security'] {
  if (policy.caller === 'anyone') return [[]];
  if (policy.caller === 'host-app') return [['hostAppBasic'], ['hostAppSignature'], []];
  return policy.basic === 'always' ? [['miniappBasic'], ['miniappBasic', 'miniappSignature']] : [['miniappSignature'], []];
}

const attributes = members({
  'request_id?': text,
  'retryable?': flag,
  'side?': oneOf('hostapp', 'miniapp', 'platform'),
  'step?': text,
  'fields?': list(members({ path: text, rule: text })),
  'setting?': text,
  'cause?': text,
  'outcome?': text,
});

const relayedRefusal: Schema = {
  ...members({ error_code: text, 'error_message?': anything, 'custom_attributes?': anything }),
  additionalProperties: true,
  description:
    'A refusal of the host app, as it came; where its `custom_attributes` are an object, those of the Error body beside its own.',
};

function refusalBody(status: number, codes: readonly string[], more: Operation['more']): Schema {
  if (status !== 400 || more?.['x-relays-codes'] !== true) return { ...ref('Error'), properties: { error_code: { ...text, enum: codes } } };
  return more['x-relays-refusals'] === true ? { anyOf: [ref('Error'), ref('RelayedRefusal')] } : ref('Error');
}

/** Refusals of what was done, or begun: after the limit was counted, and kept under an Idempotency-Key. */
const ofTheCall: readonly number[] = [400, 500, 503];

const refusal: Parameters<typeof assemble>[0]['refusal'] = (status, codes, { more, refusalHeaders }) => ({
  says: codes.map((code) => `\`${code}\`: ${catalogue[code as ErrorCode].meaning}.`).join('\n\n'),
  schema: refusalBody(status, codes, more),
  headers: {
    ...(ofTheCall.includes(status) && refusalHeaders),
    ...(status === 401 && { 'WWW-Authenticate!': { ...text, description: '`Basic` or `Signature`: what would prove the caller.' } }),
    ...((status === 429 || status === 503) && retryAfter),
    ...(status === 429 && always(rateHeaders)),
  },
  'x-error-codes': codes,
});

/** The API that partners call. */
export function apiDocument(version: string): OpenApiDocument {
  const schemas = new NamedSchemas();
  for (const [name, schema] of Object.entries(apiShapes)) schemas.add(name, schema);
  schemas.add(
    'Error',
    members({ error_code: text, error_message: text, 'exception?': text, 'custom_attributes?': ref('ErrorAttributes') }),
  );
  schemas.add('RelayedRefusal', relayedRefusal);
  schemas.add('ErrorAttributes', { ...attributes, ...anyObject });
  schemas.ofClass(UserDataDto);
  schemas.ofClass(TransactionDto);
  const operations = declaredRoutes().flatMap((route) => operationsOf(route, schemas));
  return assemble({
    info: { title: 'Pierhead: API', version, summary: 'What host apps and miniapps call.', description: apiIntroduction },
    servers: [
      {
        url: '{base}/api/v1',
        description: 'The service.',
        variables: { base: { default: '', description: 'The public base URL; empty: where this is read.' } },
      },
    ],
    tags: [
      { name: 'Sign-on', description: 'A user of the host app gets a session at the miniapp.' },
      { name: 'Consent', description: 'What users agreed to.' },
      { name: 'Payments', description: 'An order becomes a payment, and ends.' },
      { name: 'Events', description: 'From one partner to the other.' },
      { name: 'Analytics', description: 'What happened in the miniapp.' },
    ],
    operations,
    schemas: schemas.all(),
    securitySchemes,
    glossary: apiGlossary,
    everyHeader,
    pathParameters: ids,
    refusal,
    extensions: { 'x-error-codes': errorTable() },
  });
}

const securitySchemes = {
  hostAppBasic: {
    type: 'http',
    scheme: 'basic',
    description:
      'Client ID and Secret key, while `basic_auth_validation` is on. A signature takes its place, unless `basic_with_signature` is on.',
  },
  hostAppSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Signature',
    description: "The host app's request signature, while it is on: see the guide to signatures. The header's name is a setting.",
  },
  miniappBasic: { type: 'http', scheme: 'basic', description: 'App ID and Secret key.' },
  miniappSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Signature',
    description:
      "The miniapp's request signature, while it is on. Without it the call must come from an address of the miniapp's allowlist.",
  },
};

const errorTable = (): object =>
  Object.fromEntries(
    (Object.entries(catalogue) as [ErrorCode, CatalogueEntry][]).map(([code, { meaning, retryable, kinds, acts, comesFrom }]) => [
      code,
      {
        meaning,
        statuses: [...new Set(kinds.map((kind) => statusOf[kind]))],
        retryable,
        acts,
        ...(comesFrom !== undefined && { comes_from: comesFrom }),
        ...errorAdvice[code],
      },
    ]),
  );
