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
import { memberSchema, text, type Members, type Schema } from '../../adapters/dto/schema';
import { answeredRequestId, appId, clientId } from '../../adapters/dto/shared-members';
import { apiCalls, type ApiCall } from './api-calls';
import { idempotencyKey, signatureHeaders, traceHeaders } from './api-headers';
import { apiIntroduction } from './api-introduction';
import { apiShapes } from './api-shapes';
import { approvedMiniapps } from './approved-miniapps';
import { always, rateHeaders, refusal, refusalShapes, refusalsOf, replayed } from './api-refusals';

const pattern = '^[A-Za-z0-9._-]{1,64}$';
const ids = {
  client_id: memberSchema([{ ...text, pattern }, clientId[1]]),
  app_id: memberSchema([{ ...text, pattern }, appId[1]]),
};
const everyHeader: Members = { 'X-Request-Id!': answeredRequestId };
/** All routes of the API as the service declares them, with empty controllers, because they are only described. */
export const declaredRoutes = (): readonly ApiRoute[] => {
  const nobody = { signOn: {}, consent: {}, partnerLogin: {}, orders: {}, events: {}, analytics: {} };
  return apiRoutes(nobody as unknown as Controllers);
};

function operationsOf(route: ApiRoute, schemas: NamedSchemas): Operation[] {
  const call = apiCalls[route.call];
  if (!call) throw new Error(`Nobody describes the call ${route.call}`);
  const [path = '', ...others] = route.paths.map((one) => `${one.replace(/:(\w+)/g, '{$1}')}/`);
  const { gives, or, tag, summary, more } = call;
  return route.methods.map((method) => {
    const takesKey = method === 'POST' && route.policy.caller !== 'anyone';
    const headers = { ...(route.fromBrowsers && always(rateHeaders)), ...(takesKey && replayed) };
    const given: Given = { description: answers(call), schema: gives, headers, example: call.answer };
    return {
      ...{
        at: `${method} ${path}`,
        id: method === 'DELETE' ? `${call.id}ByDelete` : call.id,
        tag,
        summary: summary,
        description: `${call.by} calls. ${more}`,
      },
      ...inputOf(route, call, schemas),
      headers: requestHeaders(route, takesKey),
      gives: { 200: given, ...(or && { [or.status]: { description: or.description, schema: or.schema, headers, example: or.example } }) },
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

/** Describes the successful answer with the text of its schema. */
function answers({ gives, id }: ApiCall): string {
  const named = apiShapes[gives.$ref?.replace('#/components/schemas/', '') ?? ''];
  const description = (named ?? gives).description;
  if (description === undefined) throw new Error(`Nobody describes the answer of ${id}`);
  return description;
}

function inputOf({ input, Dto }: ApiRoute, call: ApiCall, schemas: NamedSchemas): Pick<Operation, 'query' | 'body'> {
  const dto = schemas.read(Dto);
  const properties = { ...ids, ...dto.properties };
  const required = ['client_id', 'app_id', ...((dto['required'] as string[] | undefined) ?? [])];
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

function requestHeaders({ policy, input }: ApiRoute, takesKey: boolean): Members {
  return {
    ...(input === 'headers' && {
      'X-Hostapp-Client-Id!': [{ ...text, pattern }, 'Client ID of the host app in which the users bought.'] as const,
      'X-Miniapp-App-Id!': [{ ...text, pattern }, 'App ID of the miniapp that reports; Basic must hold the same.'] as const,
    }),
    ...(takesKey && idempotencyKey),
    ...(policy.caller !== 'anyone' && signatureHeaders),
    ...traceHeaders,
  };
}

function securityOf({ policy }: ApiRoute): Operation['security'] {
  if (policy.caller === 'anyone') return [[]];
  if (policy.caller === 'host-app') return [['hostAppBasic'], ['hostAppSignature'], []];
  return policy.basic === 'always' ? [['miniappBasic'], ['miniappBasic', 'miniappSignature']] : [['miniappSignature'], []];
}

/** OpenAPI document of the API that partners call. */
export function apiDocument(version: string): OpenApiDocument {
  const schemas = new NamedSchemas();
  for (const [name, schema] of Object.entries({ ...apiShapes, ...refusalShapes })) schemas.add(name, schema);
  schemas.ofClass(UserDataDto);
  schemas.ofClass(TransactionDto);
  const operations = [...declaredRoutes().flatMap((route) => operationsOf(route, schemas)), approvedMiniapps];
  return assemble({
    info: { title: 'Pierhead: API', version, summary: 'What host apps and miniapps call.', description: apiIntroduction },
    servers: [
      {
        url: '{base}/api/v1',
        description: 'The service, wherever the operator runs it.',
        variables: { base: { default: '', description: 'Public base URL of the service; empty: the address from which this page came.' } },
      },
    ],
    tags: [
      { name: 'Sign-on', description: 'A user of the host app gets a session at the miniapp.' },
      { name: 'Consent', description: 'Whether a user lets the host app pass their data to the miniapp.' },
      { name: 'Payments', description: 'A miniapp has its user pay at the host app.' },
      { name: 'Events', description: 'Messages from one partner to the other.' },
      { name: 'Analytics', description: 'Reports of purchases in the miniapp, and a signal that a page was used.' },
    ],
    operations,
    schemas: schemas.all(),
    securitySchemes,
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
  miniappBasic: { type: 'http', scheme: 'basic', description: 'App ID and Secret key of the miniapp.' },
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
