import type { Body, Given, OpenApiDocument, Operation } from './description';
import { memberSchema, type Member, type Members, type Schema } from '../adapters/dto/schema';

/** The parts of a document besides its operations. */
export interface DocumentParts {
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: OpenApiDocument['servers'];
  readonly tags: OpenApiDocument['tags'];
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly securitySchemes: Readonly<Record<string, unknown>>;
  /** Describes the answer with this status and these refusals, and its body. */
  readonly refusal: (status: number, codes: readonly string[], operation: Operation) => Given & Readonly<Record<`x-${string}`, unknown>>;
  /** Path parameters by name. */
  readonly pathParameters: Members;
  /** Headers of every answer. */
  readonly everyHeader: Members;
  /** Absent for operations that the service itself serves. */
  readonly as?: 'webhooks';
  readonly extensions?: Readonly<Record<`x-${string}`, unknown>>;
}

/** Assembles a document. Throws Error for a parameter or header without a description. */
export function assemble(parts: DocumentParts): OpenApiDocument {
  const builder = new OperationBuilder(parts);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of parts.operations) {
    const [method = '', path = ''] = operation.at.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = builder.build(operation, path);
  }
  return {
    openapi: '3.1.1',
    info: parts.info,
    servers: parts.servers,
    tags: parts.tags,
    [parts.as ?? 'paths']: paths,
    components: {
      schemas: Object.fromEntries(Object.entries(parts.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      ...builder.sharedAnswers(),
      ...(Object.keys(parts.securitySchemes).length > 0 && { securitySchemes: parts.securitySchemes }),
    },
    ...parts.extensions,
  };
}

class OperationBuilder {
  private readonly answers = new Map<string, object>();

  constructor(private readonly parts: DocumentParts) {}

  build(operation: Operation, path: string): object {
    const { id, tag, summary, description, body, security, more } = operation;
    const parameters = [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => this.parameter('path', name, this.parts.pathParameters[name])),
      ...Object.entries(operation.query ?? {}).map(([name, schema]) => this.parameter('query', name, schema)),
      ...Object.entries(operation.headers ?? {}).map(([name, schema]) => this.parameter('header', name, schema)),
    ];
    return {
      operationId: id,
      tags: [tag],
      summary,
      ...(description !== undefined && { description }),
      ...(parameters.length > 0 && { parameters }),
      ...(body && { requestBody: this.requestBody(body) }),
      responses: this.responses(operation),
      security: security.map((all) => Object.fromEntries(all.map((name) => [name, []]))),
      ...more,
    };
  }

  /** Refusals that several operations refer to, by name. */
  sharedAnswers(): object {
    return { responses: Object.fromEntries([...this.answers].sort(([a], [b]) => (a < b ? -1 : 1))) };
  }

  private parameter(location: 'path' | 'query' | 'header', given: string, member: Member | undefined): object {
    const name = withoutMark(given);
    if (!member) throw new Error(`Nobody describes the parameter ${name} of the path`);
    const { description, ...schema } = memberSchema(member);
    return { name, in: location, ...((location === 'path' || given.endsWith('!')) && { required: true }), description, schema };
  }

  private requestBody({ schema, optional = false, contentType = 'application/json', example }: Body): object {
    const media = { schema, ...(example !== undefined && { example }) };
    return { ...(!optional && { required: true }), content: { [contentType]: media } };
  }

  private responses(operation: Operation): object {
    const { gives, refusals } = operation;
    const good = Object.entries(gives).map(([status, given]) => [status, this.answer(given)] as const);
    const bad = Object.entries(refusals).map(([status, codes]) => [status, this.shared(Number(status), codes, operation)] as const);
    return Object.fromEntries([...good, ...bad]);
  }

  private shared(status: number, codes: readonly string[], operation: Operation): object {
    const { description, schema, contentType, headers, example, ...extensions } = this.parts.refusal(status, codes, operation);
    const answer = {
      ...this.answer({ description, schema, ...(contentType && { contentType }), ...(headers && { headers }), example }),
      ...extensions,
    };
    const text = JSON.stringify(answer);
    const name = [...this.answers].find(([, known]) => JSON.stringify(known) === text)?.[0] ?? this.nameFor(status, codes);
    this.answers.set(name, answer);
    return { $ref: `#/components/responses/${name}` };
  }

  private nameFor(status: number, codes: readonly string[]): string {
    const base = codes.length <= 2 ? `${status}-${codes.join('-')}` : `${status}`;
    const taken = [...this.answers.keys()].filter((name) => name === base || name.startsWith(`${base}.`)).length;
    return taken === 0 ? base : `${base}.${taken + 1}`;
  }

  private answer({ description, schema, contentType = 'application/json', headers, example }: Given): object {
    const all = { ...this.parts.everyHeader, ...headers };
    const media = schema && { schema, ...(example !== undefined && { example }) };
    return {
      description: description,
      headers: Object.fromEntries(Object.entries(all).map(([header, member]) => answerHeader(header, member))),
      ...(media && { content: { [contentType]: media } }),
    };
  }
}

/** A trailing `!` marks a member that is always present. */
const withoutMark = (name: string): string => name.replace(/!$/, '');

function answerHeader(name: string, member: Member): readonly [string, object] {
  const { description, ...schema } = memberSchema(member);
  return [withoutMark(name), { description, ...(name.endsWith('!') && { required: true }), schema }];
}
