import { TransactionDto } from '../../adapters/in/http/api/analytics.dto';
import { UserDataDto } from '../../adapters/in/http/api/sign-on.dto';
import { statusOf } from '../../adapters/in/http/error-handler';
import type { ApiRoute } from '../../adapters/in/http/api/api-route';
import { apiRoutes, type Controllers } from '../../adapters/in/http/routes';
import { catalogue, type CatalogueEntry, type ErrorCode } from '../../domain/shared/error-catalogue';
import { assemble } from '../assemble';
import { NamedSchemas } from '../class-schema';
import type { Given, OpenApiDocument, Operation } from '../description';
import { errorAdvice } from '../errors/error-advice';
import { anyObject, members, ref, text, type Schema } from '../schema';
import { apiCalls, apiShapes, type ApiCall } from './api-calls';
import { apiGlossary, apiIntroduction, signatureHeaders } from './api-glossary';
import { approvedMiniapps } from './approved-miniapps';
import { always, attributes, rateHeaders, refusal, refusalsOf, relayedRefusal, replayed } from './api-refusals';

const ids = { client_id: { ...text, pattern: '^[A-Za-z0-9._-]{1,64}$' }, app_id: { ...text, pattern: '^[A-Za-z0-9._-]{1,64}$' } };
const everyHeader = {
  'X-Request-Id!': { ...text, description: "The caller's, where it is 1 to 128 characters of `[A-Za-z0-9._-]`; else a new one." },
};
/** Every route of the API as the service declares it. Nobody is behind them: they are described, not served. */
export const declaredRoutes = (): readonly ApiRoute[] => {
  const nobody = { signOn: {}, consent: {}, partnerLogin: {}, orders: {}, events: {}, analytics: {} };
  return apiRoutes(nobody as unknown as Controllers);
};

function operationsOf(route: ApiRoute, schemas: NamedSchemas): Operation[] {
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

function inputOf({ input, Facts }: ApiRoute, call: ApiCall, schemas: NamedSchemas): Pick<Operation, 'query' | 'body'> {
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

function requestHeaders({ policy, input }: ApiRoute, takesKey: boolean): Readonly<Record<string, Schema>> {
  return {
    ...(input === 'headers' && { 'X-Hostapp-Client-Id!': ids.client_id, 'X-Miniapp-App-Id!': ids.app_id }),
    ...(takesKey && { 'Idempotency-Key': { ...text, minLength: 1, maxLength: 255 } }),
    ...(policy.caller !== 'anyone' && signatureHeaders),
    'X-Request-Id': text,
    traceparent: text,
  };
}

function securityOf({ policy }: ApiRoute): Operation['security'] {
  if (policy.caller === 'anyone') return [[]];
  if (policy.caller === 'host-app') return [['hostAppBasic'], ['hostAppSignature'], []];
  return policy.basic === 'always' ? [['miniappBasic'], ['miniappBasic', 'miniappSignature']] : [['miniappSignature'], []];
}

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
  const operations = [...declaredRoutes().flatMap((route) => operationsOf(route, schemas)), approvedMiniapps];
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
