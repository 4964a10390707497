import type { Body, Given, OpenApiDocument, Operation } from './description';
import { Describing, type Glossary } from './glossary';
import type { Schema } from './schema';

/** What a document is made of, beside its operations. */
export interface DocumentParts {
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: OpenApiDocument['servers'];
  readonly tags: OpenApiDocument['tags'];
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly securitySchemes: Readonly<Record<string, unknown>>;
  readonly glossary: Glossary;
  /** What an answer of this status with these refusals says, and its body. */
  readonly refusal: (status: number, codes: readonly string[], operation: Operation) => Given & Readonly<Record<`x-${string}`, unknown>>;
  /** Parameters of paths by name. */
  readonly pathParameters: Readonly<Record<string, Schema>>;
  /** Headers that every answer has. */
  readonly everyHeader: Readonly<Record<string, Schema>>;
  /** Absent: what the service serves. */
  readonly as?: 'webhooks';
  readonly extensions?: Readonly<Record<`x-${string}`, unknown>>;
}

/** Puts a document together. Throws Error with every member and parameter that nobody describes. */
export function assemble(parts: DocumentParts): OpenApiDocument {
  const describing = new Describing(parts.glossary);
  const schemas = Object.entries(parts.schemas).map(([name, schema]) => [name, describing.schema(name, schema)] as const);
  const builder = new OperationBuilder(parts, describing);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of parts.operations) {
    const [method = '', path = ''] = operation.at.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = builder.build(operation, path);
  }
  describing.close();
  return {
    openapi: '3.1.1',
    info: parts.info,
    servers: parts.servers,
    tags: parts.tags,
    [parts.as ?? 'paths']: paths,
    components: {
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
      ...builder.sharedAnswers(),
      ...(Object.keys(parts.securitySchemes).length > 0 && { securitySchemes: parts.securitySchemes }),
    },
    ...parts.extensions,
  };
}

class OperationBuilder {
  private readonly answers = new Map<string, object>();

  constructor(
    private readonly parts: DocumentParts,
    private readonly describing: Describing,
  ) {}

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
      ...(body && { requestBody: this.requestBody(id, body) }),
      responses: this.responses(operation),
      security: security.map((all) => Object.fromEntries(all.map((name) => [name, []]))),
      ...more,
    };
  }

  /** The refusals, each written once, by the name under which operations refer to it. */
  sharedAnswers(): object {
    return { responses: Object.fromEntries([...this.answers].sort(([a], [b]) => (a < b ? -1 : 1))) };
  }

  private parameter(place: 'path' | 'query' | 'header', given: string, schema: Schema | undefined): object {
    const name = withoutMark(given);
    if (!schema) throw new Error(`Nobody describes the parameter ${name} of the path`);
    const described = this.describing.schema('parameter', { type: 'object', properties: { [name]: schema } });
    const { description, ...rest } = described.properties?.[name] ?? {};
    return { name, in: place, ...((place === 'path' || given.endsWith('!')) && { required: true }), description, schema: rest };
  }

  private requestBody(id: string, { schema, optional = false, contentType = 'application/json', example }: Body): object {
    const media = { schema: this.describing.schema(id, schema), ...(example !== undefined && { example }) };
    return { ...(!optional && { required: true }), content: { [contentType]: media } };
  }

  private responses(operation: Operation): object {
    const { id, gives, refusals } = operation;
    const good = Object.entries(gives).map(([status, given]) => [status, this.answer(id, given)] as const);
    const bad = Object.entries(refusals).map(([status, codes]) => [status, this.shared(Number(status), codes, operation)] as const);
    return Object.fromEntries([...good, ...bad]);
  }

  private shared(status: number, codes: readonly string[], operation: Operation): object {
    const { says, schema, contentType, headers, example, ...extensions } = this.parts.refusal(status, codes, operation);
    const answer = {
      ...this.answer('refusal', { says, schema, ...(contentType && { contentType }), ...(headers && { headers }), example }),
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

  private answer(name: string, { says, schema, contentType = 'application/json', headers, example }: Given): object {
    const all = { ...this.parts.everyHeader, ...headers };
    const media = schema && { schema: this.describing.schema(name, schema), ...(example !== undefined && { example }) };
    return {
      description: says,
      headers: Object.fromEntries(Object.entries(all).map(([header, schema]) => answerHeader(header, schema))),
      ...(media && { content: { [contentType]: media } }),
    };
  }
}

/** A name that ends in `!` is of something that is always there. */
const withoutMark = (name: string): string => name.replace(/!$/, '');

const answerHeader = (name: string, { description, ...schema }: Schema): readonly [string, object] => [
  withoutMark(name),
  { description, ...(name.endsWith('!') && { required: true }), schema },
];
