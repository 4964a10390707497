import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from '../../../src/adapters/dto/schema';
import { SchemaValidator } from './schema-validator';

interface Media {
  readonly schema: Schema;
}

/** An answer as a document describes it. */
export interface DescribedAnswer {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>;
  readonly content?: Readonly<Record<string, Media>>;
}

/** An operation as a document describes it. */
export interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean; readonly schema: Schema }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, DescribedAnswer & { readonly $ref?: string }>>;
  readonly 'x-also-served-at'?: readonly string[];
  readonly 'x-setting'?: string;
}

interface DocumentFile {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, DescribedAnswer>>;
  };
}

interface Route {
  readonly pattern: RegExp;
  readonly parameters: number;
  readonly methods: Readonly<Record<string, DescribedOperation>>;
}

export type DocumentName = 'api' | 'manage' | 'partners';

/** One of the OpenAPI documents as the repository holds it, ready to judge what went over the wire. Nothing is compiled before it is needed. */
export class DescribedDocument {
  /** The names of all headers of answers that are described anywhere, in lower case. */
  readonly headerNames: ReadonlySet<string>;
  private readonly file: DocumentFile;
  private readonly routes: readonly Route[];
  private readonly validator: SchemaValidator;

  constructor(readonly name: DocumentName) {
    this.file = JSON.parse(readFileSync(join(__dirname, `../../../docs/reference/openapi/${name}.json`), 'utf8')) as DocumentFile;
    this.validator = new SchemaValidator(this.file.components.schemas);
    const routes = Object.entries(this.file.paths ?? {}).flatMap(([path, methods]) => routesOf(path, methods));
    this.routes = routes.sort((a, b) => a.parameters - b.parameters);
    this.headerNames = headersIn([
      ...this.operations.flatMap(({ responses }) => Object.values(responses)),
      ...Object.values(this.file.components.responses),
    ]);
  }

  /** Every operation, also of what the service calls. */
  get operations(): readonly DescribedOperation[] {
    return Object.values(this.file.paths ?? this.file.webhooks ?? {}).flatMap((methods) => Object.values(methods));
  }

  /** The first operation that is so, and its method. */
  find(isSo: (operation: DescribedOperation) => boolean): { readonly method: string; readonly operation: DescribedOperation } | undefined {
    for (const methods of Object.values(this.file.paths ?? this.file.webhooks ?? {})) {
      for (const [method, operation] of Object.entries(methods)) if (isSo(operation)) return { method, operation };
    }
    return undefined;
  }

  /** The methods of a path, below where the document begins; fixed words go before parameters. */
  methodsAt(path: string): Readonly<Record<string, DescribedOperation>> | undefined {
    return this.routes.find(({ pattern }) => pattern.test(path))?.methods;
  }

  /** What the operation says of a status; undefined: nothing. */
  answerOf({ responses }: DescribedOperation, status: number): DescribedAnswer | undefined {
    const given = responses[String(status)];
    return given?.$ref === undefined ? given : this.file.components.responses[given.$ref.split('/').at(-1) ?? ''];
  }

  /** The problem of a value of an answer, which has no member that is not described; undefined: nothing. */
  answerProblem(schema: Schema, value: unknown): string | undefined {
    return this.validator.answerProblem(schema, value);
  }

  /** The problem of a value of a request; undefined: nothing. */
  requestProblem(schema: Schema, value: unknown): string | undefined {
    return this.validator.requestProblem(schema, value);
  }
}

const headersIn = (answers: readonly DescribedAnswer[]): ReadonlySet<string> =>
  new Set(answers.flatMap(({ headers }) => Object.keys(headers ?? {})).map((name) => name.toLowerCase()));

function routesOf(path: string, methods: Readonly<Record<string, DescribedOperation>>): Route[] {
  const also = Object.values(methods).flatMap((operation) => operation['x-also-served-at'] ?? []);
  return [...new Set([path, ...also])].map((one) => ({
    // Both with a final slash and without.
    pattern: new RegExp(`^${one.replace(/\/$/, '').replace(/\{\w+\}/g, '[^/]+')}/?$`),
    parameters: one.split('{').length - 1,
    methods,
  }));
}
