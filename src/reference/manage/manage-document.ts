import { flag, members, ref, text, type Members, type Schema } from '../../adapters/dto/schema';
import { appId, clientId, rowVersion } from '../../adapters/dto/shared-members';
import { peopleShapes } from '../../adapters/in/http/manage/accounts/people-shapes';
import { reportShapes } from '../../adapters/in/http/manage/analytics/report-shapes';
import { conformanceShapes } from '../../adapters/in/http/manage/conformance/conformance-shapes';
import { credentialShapes } from '../../adapters/in/http/manage/credentials/credential-shapes';
import { signatureToolShapes } from '../../adapters/in/http/manage/credentials/signature-tool-shapes';
import { deliveryShapes } from '../../adapters/in/http/manage/deliveries/delivery-shapes';
import { exchangeShapes } from '../../adapters/in/http/manage/exchanges/exchange-shapes';
import { figureShapes } from '../../adapters/in/http/manage/figures/figure-shapes';
import { audienceOf } from '../../adapters/in/http/manage/http/access';
import { parametersOf, type Call } from '../../adapters/in/http/manage/http/call';
import { problemKinds, type ProblemKind } from '../../adapters/in/http/manage/http/problem';
import type { QueryParameters } from '../../adapters/in/http/manage/http/query';
import { operationShapes } from '../../adapters/in/http/manage/operations/operation-shapes';
import { serviceShapes } from '../../adapters/in/http/manage/operations/service-shapes';
import { partnerShapes } from '../../adapters/in/http/manage/partners/partner-shapes';
import { paymentShapes } from '../../adapters/in/http/manage/payments/payment-shapes';
import { sandboxShapes } from '../../adapters/in/http/manage/sandbox/sandbox-shapes';
import { assemble } from '../assemble';
import { NamedSchemas, type Class } from '../class-schema';
import type { Given, OpenApiDocument, Operation } from '../description';
import type { ManageExample, ManageExamples } from './examples';
import { etag, everyHeader, ifMatch, ifNoneMatch, location, manageParameters } from './manage-members';
import { manageTags, partnerInputs } from './manage-tags';
import { problemKindsTable, problemShapes, refusal } from './problems';

const introduction = `Everything that operators do, and what partners see and do of their own, at \`/manage/v1/\` below the public base URL of the service. The dashboard uses these calls and no others.

**Who asks.** Operators and their scripts send the operator token (\`Authorization: Bearer …\`). People sign in (\`POST /session\`) and are known by a cookie; what changes something then needs the header \`X-CSRF-Token\` with the session's \`csrf_token\`, and comes from a page of the service itself. A partner sees and changes what is its own: what belongs to others is answered as if it did not exist (404). \`x-audience\` says for each call who may make it.

**Lists** are \`{data, next_cursor}\`, newest first unless something else is said; \`limit\` is 50 unless given, 200 at most. Unknown parameters and unknown members of a body are refused. Times are RFC 3339 in UTC.

**Refusals** are problem documents (RFC 9457). Their \`type\` is \`urn:pierhead:problem:\` and a kind, which stays; \`errors\` names every field that breaks a rule. A path that does not exist is \`not-found\`, a method that a path does not take \`method-not-allowed\` with \`Allow\`.

**Versions.** Partners and integrations have a version: \`ETag\` tells it, \`If-Match\` asks for it.`;

/** The problem kinds of a call by status: those that its declaration implies, and its own. */
function refusalsOf(call: Call): Readonly<Record<number, readonly ProblemKind[]>> {
  const [method = '', path = ''] = call.at.split(' ');
  const kinds = new Set<ProblemKind>(call.kinds);
  if (call.who !== 'anyone') for (const kind of ['unauthenticated', 'not-allowed'] as const) kinds.add(kind);
  if (method !== 'GET' && call.who !== 'anyone') kinds.add('cross-site');
  // A parameter that the call does not take.
  kinds.add('invalid-content');
  if ('client_id' in parametersOf(call)) kinds.add('not-found');
  if (call.body) for (const kind of ['malformed-request', 'content-too-large', 'unsupported-media-type'] as const) kinds.add(kind);
  if (path.includes('{')) kinds.add('not-found');
  if (call.versioned === 'changed') for (const kind of ['precondition-failed', 'malformed-request', 'conflict'] as const) kinds.add(kind);
  for (const kind of ['too-many', 'fault', 'unavailable'] as const) kinds.add(kind);
  const found: Partial<Record<number, ProblemKind[]>> = {};
  for (const kind of Object.keys(problemKinds) as ProblemKind[]) {
    if (kinds.has(kind)) (found[problemKinds[kind][0]] ??= []).push(kind);
  }
  return found as Record<number, ProblemKind[]>;
}

/** Parts of an operation besides its call. */
interface Parts {
  readonly tag: string;
  readonly schemas: NamedSchemas;
  readonly examples: ManageExamples;
}

function operationOf(call: Call, { tag, schemas, examples }: Parts): Operation {
  const { at, id, summary, gives, status = gives ? 200 : 204, or, versioned, who } = call;
  const headers = { ...(versioned && etag), ...(call.location && location) };
  const contentType = call.contentType ?? 'application/json';
  const { body, answer, or: otherAnswer } = exampleOf(call, examples);
  const given: Given = { description: descriptionOf(status, gives, schemas), schema: gives, contentType, headers, example: answer };
  return {
    ...{ at, id, tag, summary, description: call.more, query: membersOf(parametersOf(call)) },
    ...(versioned === 'changed' && { headers: { ...ifMatch, ...(call.or && ifNoneMatch) } }),
    ...(call.body && { body: bodyOf(call, schemas, body) }),
    gives: {
      [status]: given,
      ...(or && { [or.status]: { description: or.description, schema: or.schema, headers, example: otherAnswer } }),
    },
    refusals: refusalsOf(call),
    security: who === 'anyone' ? [[]] : security(at),
    more: { 'x-audience': audienceOf(call).roles, ...(call.whileViewingAs && { 'x-while-viewing-as': true }) },
  };
}

/** Query parameters as members; a name that ends in `!` is required. */
const membersOf = (parameters: QueryParameters): Members =>
  Object.fromEntries(Object.entries(parameters).map(([name, { schema, isRequired }]) => [`${name}${isRequired ? '!' : ''}`, schema]));

const security = (at: string): Operation['security'] => [['operatorToken'], at.startsWith('GET ') ? ['session'] : ['session', 'csrfToken']];

/** Describes the answer with the text of its schema. */
function descriptionOf(status: number, schema: Schema | undefined, schemas: NamedSchemas): string {
  if (!schema) return 'It is done; the answer has no body.';
  const description = (schemas.all()[schema.$ref?.replace('#/components/schemas/', '') ?? ''] ?? schema).description;
  if (description === undefined) throw new Error('Nobody describes an answer');
  const begun = { 201: 'It was made. ', 202: 'It has begun. ' }[status] ?? '';
  return `${begun}${description}`;
}

/** Throws Error where a call has no example, or has one for a body that it does not have. */
function exampleOf({ id, body, gives, or, contentType }: Call, examples: ManageExamples): ManageExample {
  const example = examples[id] ?? {};
  const isShown = { body: body !== undefined, answer: gives !== undefined && contentType === undefined, or: or !== undefined };
  for (const [part, shown] of Object.entries(isShown))
    if (shown !== part in example) throw new Error(`${id}: ${shown ? 'no' : 'a needless'} example of its ${part}`);
  return example;
}

function bodyOf(call: Call, schemas: NamedSchemas, example: unknown) {
  const { body, bodyOptional, patch } = call;
  const schema = typeof body === 'function' ? schemas.ofClass(body, inputName(body)) : (body as Schema);
  return {
    schema,
    example,
    ...(bodyOptional && { optional: true }),
    ...(patch && { contentType: 'application/merge-patch+json' }),
  };
}

const inputName = ({ name }: Class): string => `${name.replace(/Dto$/, '')}Input`;

/** Schema of a merge patch: any writable member, null to remove one, and the read-only members of the shown record. */
const patchOf = (input: Schema, shown: Schema): Schema => {
  const properties = { ...shown.properties, ...input.properties };
  return {
    type: 'object',
    description: 'A merge patch (RFC 7396): members that are named change, null takes a member away.',
    properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, orNothing(schema)])),
  };
};

const orNothing = ({ description, ...schema }: Schema): Schema => ({
  anyOf: [schema, { type: 'null' }],
  ...(description !== undefined && { description }),
});

function schemasOf(): NamedSchemas {
  const schemas = new NamedSchemas('Input');
  for (const [name, schema] of Object.entries({
    ...problemShapes,
    ...partnerShapes,
    ...credentialShapes,
    ...exchangeShapes,
    ...paymentShapes,
    ...deliveryShapes,
    ...signatureToolShapes,
    ...serviceShapes,
    ...peopleShapes,
    ...reportShapes,
    ...figureShapes,
    ...operationShapes,
    ...conformanceShapes,
    ...sandboxShapes,
  }))
    schemas.add(name, schema);
  for (const [name, Dto] of Object.entries(partnerInputs)) schemas.ofClass(Dto, name);
  const known = schemas.all();
  schemas.add('HostAppPatch', patchOf(known['HostAppInput'] ?? {}, known['HostApp'] ?? {}));
  schemas.add('MiniappPatch', patchOf(known['MiniappInput'] ?? {}, known['Miniapp'] ?? {}));
  schemas.add('IntegrationPatch', patchOf(known['IntegrationInput'] ?? {}, known['IntegrationShown'] ?? {}));
  schemas.add('IntegrationWhole', {
    description: 'A whole integration: what it does not name has its default. What a GET shows may be sent back.',
    allOf: [ref('IntegrationInput'), members(shownBack)],
  });
  return schemas;
}

/** Read-only members of an integration that a patch may repeat. */
const shownBack: Members = {
  'client_id?': clientId,
  'app_id?': appId,
  'id?': [text, 'Taken because a GET shows it; it changes nothing.'],
  'version?': rowVersion,
  'check_sender_credentials?': [flag, 'Older name of `host_app_events_checked_by`: true is stored as `both`, false as `miniapp`.'],
};

const securitySchemes = {
  operatorToken: { type: 'http', scheme: 'bearer', description: 'The operator token (`OPERATOR_TOKEN`).' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-pierhead',
    description: 'The session of somebody who signed in; over plain http the cookie is named `pierhead`.',
  },
  csrfToken: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: "The session's `csrf_token`, from `GET /session`." },
};

/** OpenAPI document of the manage API. Throws Error where `examples` do not match the calls. */
export function manageDocument(version: string, examples: ManageExamples): OpenApiDocument {
  const schemas = schemasOf();
  const operations = manageTags.flatMap(({ name: tag, calls }) => calls.map((call) => operationOf(call, { tag, schemas, examples })));
  return assemble({
    info: { title: 'Pierhead: Manage API', version, summary: 'What operators do, and partners for themselves.', description: introduction },
    servers: [
      {
        url: '{base}/manage/v1',
        description: 'The service, wherever the operator runs it.',
        variables: { base: { default: '', description: 'Public base URL of the service; empty: the address from which this page came.' } },
      },
    ],
    tags: manageTags.map(({ name, description }) => ({ name, description })),
    operations,
    schemas: schemas.all(),
    securitySchemes,
    everyHeader,
    pathParameters: manageParameters,
    refusal,
    extensions: { 'x-problem-kinds': problemKindsTable() },
  });
}
