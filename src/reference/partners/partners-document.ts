import { assemble } from '../assemble';
import { NamedSchemas } from '../class-schema';
import type { Given, OpenApiDocument, Operation } from '../description';
import { anyObject, object, ref, text, type Members } from '../../adapters/dto/schema';
import { outboundCalls, type Outbound } from './outbound-calls';
import { partnersIntroduction } from './partners-introduction';

const identity: Members = {
  'X-Hostapp-Client-ID!': [text, 'Client ID of the host app for which the call is made.'],
  'X-Miniapp-App-ID!': [text, 'App ID of the miniapp for which the call is made.'],
  'X-Request-Id!': [text, 'Id of the call of the partner that caused this one; log it, so that both sides find the call.'],
  traceparent: [text, "W3C Trace Context: the caller's own, absent where it sent none; with `TRACE_CONTEXT=join` the one of this request."],
};
const signed: Members = {
  'X-Client-Id': [text, 'Your `api_client_id`; sent while your template holds `{client_id}`.'],
  'X-Timestamp': [text, 'Unix time of signing in the agreed precision; sent while the template holds `{timestamp}`.'],
  'X-Signature': [text, "The platform's signature over the text of the template; sent while signing is on."],
  'X-Nonce': [text, 'Random text that the service uses once; sent while the template holds `{nonce}`.'],
  'X-Identity': [text, 'Fixed text of your `identity` setting; sent while the template holds `{identity}`.'],
  'X-Merchant-Id': [text, 'Merchant id of the integration; sent while the template holds `{merchant_id}`.'],
};
const asUserHeaders: Members = { 'X-User-ID': [text, "The user's reference; sent while `use_access_token` is on."] };

const refusalBody = object('A refusal by the partner. Its `error_code` alone decides, whatever the status.', {
  error_code: [{ ...text, minLength: 1, maxLength: 64 }, 'Name of the reason; the caller gets it unchanged.'],
  'error_message?': [text, 'Sentence for people; absent: that of the catalogue, where the code is in it.'],
  'custom_attributes?': [anyObject, 'Context of the refusal, which the caller gets.'],
});

function operationOf({ id, summary, more, side, setting, method = 'POST', body, form, example, ...call }: Outbound): Operation {
  const given: Given = {
    description: call.anyAnswer
      ? 'Received: the status counts, whatever the body.'
      : 'What is read of the answer; other members are ignored.',
    schema: call.reply,
    example: call.replyExample,
  };
  const contentType = form ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    at: `${method} ${side}.${setting}`,
    ...{
      id,
      tag: side === 'host-app' ? 'Host app' : 'Miniapp',
      summary: summary,
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

/** OpenAPI document of the endpoints that partners implement: the service's requests, and the parts of the answers that it reads. */
export function partnersDocument(version: string): OpenApiDocument {
  const schemas = new NamedSchemas();
  const operations = outboundCalls(schemas).map(operationOf);
  schemas.add('Refusal', refusalBody);
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
    everyHeader: {},
    pathParameters: {},
    refusal: () => ({
      description: 'A refusal: an `error_code`, with any status, 200 included. It is passed on to the caller with 400.',
      schema: ref('Refusal'),
    }),
    as: 'webhooks',
  });
}
