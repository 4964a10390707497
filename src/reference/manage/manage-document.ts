import { problemKinds, type ProblemKind } from '../../adapters/in/http/manage/problem';
import { assemble } from '../assemble';
import { NamedSchemas, type Class } from '../class-schema';
import type { Given, OpenApiDocument, Operation } from '../description';
import { problemAdvice } from '../errors/problem-advice';
import { flag, list, members, ref, text, whole, type Schema } from '../schema';
import { callTags } from './call-calls';
import { callShapes } from './call-shapes';
import { manageGlossary } from './manage-glossary';
import type { ManageExample } from './examples/example';
import { manageExamples } from './examples/manage-examples';
import type { ManageCall, ManageTag, Who } from './operation';
import { operationShapes } from './operation-shapes';
import { partnerInputs, partnerTags } from './partner-calls';
import { partnerShapes } from './partner-shapes';
import { serviceTags } from './service-calls';
import { serviceShapes } from './service-shapes';

const introduction = `Everything that operators do, and what partners see and do of their own, at \`/manage/v1/\` below the public base URL of the service. The dashboard uses these calls and no others.

**Who asks.** Operators and their scripts send the operator token (\`Authorization: Bearer …\`). People sign in (\`POST /session\`) and are known by a cookie; what changes something then needs the header \`X-CSRF-Token\` with the session's \`csrf_token\`, and comes from a page of the service itself. A partner sees and changes what is its own: what belongs to others is answered as if it did not exist (404). \`x-audience\` says for each call who may make it.

**Lists** are \`{data, next_cursor}\`, newest first unless something else is said; \`limit\` is 50 unless given, 200 at most. Unknown parameters and unknown members of a body are refused. Times are RFC 3339 in UTC.

**Refusals** are problem documents (RFC 9457). Their \`type\` is \`urn:pierhead:problem:\` and a kind, which stays; \`errors\` names every field that breaks a rule. A path that does not exist is \`not-found\`, a method that a path does not take \`method-not-allowed\` with \`Allow\`.

**Versions.** Partners and integrations have a version: \`ETag\` tells it, \`If-Match\` asks for it.`;

const everyHeader: Readonly<Record<string, Schema>> = {
  'X-Request-Id!': { ...text, description: "The caller's, where it is 1 to 128 characters of `[A-Za-z0-9._-]`; else a new one." },
};
const etag = { 'ETag!': { ...text, description: 'The version of the record, for `If-Match`.' } };
const onlyNew = { ...text, const: '*' };
const location = { 'Location!': { ...text, description: 'Where the record is read.' } };
const retryAfter = { 'Retry-After!': { ...whole, description: 'Seconds after which it may be tried again.' } };

const audience: Readonly<Record<Who, readonly string[]>> = {
  operator: ['operator'],
  everyone: ['operator', 'host-app', 'miniapp'],
  anyone: ['operator', 'host-app', 'miniapp'],
  'host apps': ['operator', 'host-app'],
  miniapps: ['operator', 'miniapp'],
};

/** The kinds of problem that a call can be refused with, by status: what follows from how it is made, and its own. */
function refusalsOf(at: string, call: ManageCall): Readonly<Record<number, readonly ProblemKind[]>> {
  const [method = '', path = ''] = at.split(' ');
  const kinds = new Set<ProblemKind>(call.kinds);
  if (call.who !== 'anyone') for (const kind of ['unauthenticated', 'not-allowed'] as const) kinds.add(kind);
  if (method !== 'GET' && call.who !== 'anyone') kinds.add('cross-site');
  if (call.query) kinds.add('invalid-content');
  if (call.query && 'client_id' in call.query) kinds.add('not-found');
  if (call.query && 'client_id!' in call.query) kinds.add('not-found');
  if (call.body)
    for (const kind of ['malformed-request', 'invalid-content', 'content-too-large', 'unsupported-media-type'] as const) kinds.add(kind);
  if (path.includes('{')) kinds.add('not-found');
  if (call.versioned === 'changed') for (const kind of ['precondition-failed', 'malformed-request', 'conflict'] as const) kinds.add(kind);
  for (const kind of ['too-many', 'fault', 'unavailable'] as const) kinds.add(kind);
  const found: Partial<Record<number, ProblemKind[]>> = {};
  for (const kind of Object.keys(problemKinds) as ProblemKind[]) {
    if (kinds.has(kind)) (found[problemKinds[kind][0]] ??= []).push(kind);
  }
  return found as Record<number, ProblemKind[]>;
}

function operationOf(at: string, call: ManageCall, { tag, schemas }: { tag: string; schemas: NamedSchemas }): Operation {
  const { id, says, gives, status = gives ? 200 : 204, or, versioned, who } = call;
  const isPage = gives !== undefined && call.query !== undefined && 'next_cursor' in (gives.properties ?? {});
  const page = isPage ? { limit: { ...whole, minimum: 1, maximum: 200, default: 50 }, cursor: text } : {};
  const headers = { ...(versioned && etag), ...(call.location && location) };
  const contentType = call.contentType ?? 'application/json';
  const { answer, or: otherAnswer } = exampleOf(call);
  const given: Given = { says: saidOf(status, gives), schema: gives, contentType, headers, example: answer };
  return {
    ...{ at, id, tag, summary: says, description: call.more },
    ...(call.query && { query: { ...call.query, ...page } }),
    ...(versioned === 'changed' && { headers: { 'If-Match': text, ...(call.or && { 'If-None-Match': onlyNew }) } }),
    ...(call.body && { body: bodyOf(call, schemas) }),
    gives: { [status]: given, ...(or && { [or.status]: { says: or.says, schema: or.schema, headers, example: otherAnswer } }) },
    refusals: refusalsOf(at, call),
    security: who === 'anyone' ? [[]] : security(at),
    more: { 'x-audience': audience[who], ...(call.whileLooking && { 'x-while-looking': true }) },
  };
}

const security = (at: string): Operation['security'] => [['operatorToken'], at.startsWith('GET ') ? ['session'] : ['session', 'csrfToken']];

const saidOf = (status: number, schema: Schema | undefined): string => {
  if (!schema) return 'It is done.';
  return { 201: 'It was made.', 202: 'It has begun.' }[status] ?? 'The answer.';
};

/** Throws Error where a call has no example, or one of what it does not ask or answer. */
function exampleOf({ id, body, gives, or, contentType }: ManageCall): ManageExample {
  const example = manageExamples[id] ?? {};
  const isShown = { body: body !== undefined, answer: gives !== undefined && contentType === undefined, or: or !== undefined };
  for (const [part, shown] of Object.entries(isShown))
    if (shown !== part in example) throw new Error(`${id}: ${shown ? 'no' : 'a needless'} example of its ${part}`);
  return example;
}

function bodyOf(call: ManageCall, schemas: NamedSchemas) {
  const { body, bodyOptional, patch } = call;
  const schema = typeof body === 'function' ? schemas.ofClass(body, inputName(body)) : (body as Schema);
  return {
    schema,
    example: exampleOf(call).body,
    ...(bodyOptional && { optional: true }),
    ...(patch && { contentType: 'application/merge-patch+json' }),
  };
}

const inputName = ({ name }: Class): string => `${name.replace(/Dto$/, '')}Input`;

const problem = members({
  type: text,
  title: text,
  status: whole,
  'detail?': text,
  request_id: text,
  'errors?': list(ref('FieldProblem')),
});

/** A patch takes any part of what can be written, and null where something is taken away; and what a GET shows. */
const patchOf = (input: Schema, shown: Schema): Schema => {
  const properties = { ...shown.properties, ...input.properties };
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, { anyOf: [schema, { type: 'null' }] }])),
  };
};

function schemasOf(): NamedSchemas {
  const schemas = new NamedSchemas('Input');
  for (const [name, schema] of Object.entries({ ...partnerShapes, ...callShapes, ...serviceShapes, ...operationShapes }))
    schemas.add(name, schema);
  schemas.add('Problem', problem);
  for (const [name, Dto] of Object.entries(partnerInputs)) schemas.ofClass(Dto, name);
  const known = schemas.all();
  schemas.add('HostAppPatch', patchOf(known['HostAppInput'] ?? {}, known['HostApp'] ?? {}));
  schemas.add('MiniappPatch', patchOf(known['MiniappInput'] ?? {}, known['Miniapp'] ?? {}));
  schemas.add('IntegrationPatch', patchOf(known['IntegrationInput'] ?? {}, known['IntegrationShown'] ?? {}));
  schemas.add('IntegrationWhole', {
    allOf: [
      ref('IntegrationInput'),
      members({ 'client_id?': text, 'app_id?': text, 'id?': text, 'version?': whole, 'check_sender_credentials?': flag }),
    ],
  });
  return schemas;
}

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

/** The manage API, whole. */
export function manageDocument(version: string): OpenApiDocument {
  const schemas = schemasOf();
  const tags: readonly ManageTag[] = [...partnerTags, ...callTags, ...serviceTags];
  const operations = tags.flatMap(({ name: tag, calls }) =>
    Object.entries(calls).map(([at, call]) => operationOf(at, call, { tag, schemas })),
  );
  return assemble({
    info: { title: 'Pierhead: Manage API', version, summary: 'What operators do, and partners for themselves.', description: introduction },
    servers: [
      {
        url: '{base}/manage/v1',
        description: 'The service.',
        variables: { base: { default: '', description: 'The public base URL; empty: where this is read.' } },
      },
    ],
    tags: tags.map(({ name, says: description }) => ({ name, description })),
    operations,
    schemas: schemas.all(),
    securitySchemes,
    glossary: manageGlossary,
    everyHeader,
    pathParameters: manageParameters,
    refusal: (status, kinds) => ({
      says: kinds.map((kind) => `\`${kind}\`: ${problemKinds[kind as ProblemKind][1]}.`).join('\n\n'),
      contentType: 'application/problem+json',
      schema: {
        $ref: '#/components/schemas/Problem',
        properties: { type: { ...text, enum: kinds.map((kind) => `urn:pierhead:problem:${kind}`) }, status: { const: status } },
      },
      ...((status === 429 || status === 503) && { headers: retryAfter }),
      ...(status === 412 && { headers: { ETag: etag['ETag!'] } }),
    }),
    extensions: { 'x-problem-kinds': problemKindsTable() },
  });
}

const problemKindsTable = (): object =>
  Object.fromEntries(
    Object.entries(problemKinds).map(([kind, [status, title]]) => [kind, { status, title, ...problemAdvice[kind as ProblemKind] }]),
  );

const id = { ...text, pattern: '^[A-Za-z0-9_-]{1,64}$' };
const manageParameters: Readonly<Record<string, Schema>> = {
  client_id: id,
  app_id: id,
  id,
  conflict: id,
  lane: { ...text, pattern: '^[\\x21-\\x7e]{1,100}$' },
  partner: { ...text, enum: ['host-app', 'miniapp'] },
};
