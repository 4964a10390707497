import { assemble } from '../assemble';
import { NamedSchemas } from '../class-schema';
import type { Given, OpenApiDocument, Operation } from '../description';
import { anyObject, members, ref, text } from '../schema';
import { outboundCalls, type Outbound } from './outbound-calls';
import { partnersGlossary, partnersIntroduction } from './partners-glossary';

const identity = { 'X-Hostapp-Client-ID!': text, 'X-Miniapp-App-ID!': text, 'X-Request-Id!': text, traceparent: text };
const signed = {
  'X-Client-Id': text,
  'X-Timestamp': text,
  'X-Signature': text,
  'X-Nonce': text,
  'X-Identity': text,
  'X-Merchant-Id': text,
};
const asUserHeaders = { 'X-User-ID': text };

function operationOf({ id, says, more, side, setting, method = 'POST', body, form, example, ...call }: Outbound): Operation {
  const given: Given = {
    says: call.anyAnswer ? 'Received. The status alone counts.' : 'What is read of the answer; other members are ignored.',
    schema: call.reply,
    example: call.replyExample,
  };
  const contentType = form ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    at: `${method} ${side}.${setting}`,
    ...{
      id,
      tag: side === 'host-app' ? 'Host app' : 'Miniapp',
      summary: says,
      description: `The URL is the setting \`${setting}\`. ${more}`,
    },
    ...(body && { body: { schema: body, contentType, example } }),
    headers: call.unsigned ? {} : { ...identity, ...call.headers, ...(call.asUser === 'as set' && asUserHeaders), ...signed },
    gives: { [call.anyAnswer ? 'default' : 200]: given },
    refusals: call.anyAnswer ? {} : { 400: ['refused'] },
    security: securityOf(side, call),
    more: { 'x-setting': setting },
  };
}

function securityOf(side: Outbound['side'], { asUser, unsigned }: Pick<Outbound, 'asUser' | 'unsigned'>): Operation['security'] {
  if (unsigned) return [['hostAppBasic']];
  if (asUser === 'always') return [['userToken']];
  if (side === 'miniapp') return [['miniappBasic'], ['signature']];
  return [...(asUser ? [['userToken']] : []), ['clientToken'], ['hostAppBasic'], ['signature']];
}

const securitySchemes = {
  hostAppBasic: {
    type: 'http',
    scheme: 'basic',
    description: '`host_app_client_id` and `host_app_secret_key`, after the word of `credential_scheme`, while signing is off.',
  },
  miniappBasic: { type: 'http', scheme: 'basic', description: 'App ID and Secret key, while signing is off.' },
  clientToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A client access token, where the host app issues such. It takes the place of Basic.',
  },
  userToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: "`access_token_prefix`, a blank, and the user's access token; on payment calls while `use_access_token` is on.",
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Signature',
    description:
      "The platform's signature with the headers that go with it, while signing is on for the receiver. See the guide to signatures.",
  },
};

/** The endpoints that partners implement: what the service sends there, and what it reads of the answer. */
export function partnersDocument(version: string): OpenApiDocument {
  const schemas = new NamedSchemas();
  const operations = outboundCalls(schemas).map(operationOf);
  schemas.add(
    'Refusal',
    members({ error_code: { ...text, minLength: 1, maxLength: 64 }, 'error_message?': text, 'custom_attributes?': anyObject }),
  );
  return assemble({
    info: {
      title: 'Pierhead: Endpoints of partners',
      version,
      summary: 'What host apps and miniapps implement.',
      description: partnersIntroduction,
    },
    servers: [],
    tags: [
      { name: 'Host app', description: 'What the back end of a host app implements.' },
      { name: 'Miniapp', description: 'What the back end of a miniapp implements.' },
    ],
    operations,
    schemas: schemas.all(),
    securitySchemes,
    glossary: partnersGlossary,
    everyHeader: {},
    pathParameters: {},
    refusal: () => ({
      says: 'A refusal: an `error_code`, with any status, 200 included. It is passed on to the caller with 400.',
      schema: ref('Refusal'),
    }),
    as: 'webhooks',
  });
}
