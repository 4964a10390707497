import type { Members, Schema } from '../adapters/dto/schema';

/** Request and answers of one HTTP call, for an OpenAPI document. */
export interface Operation {
  /** Method and path as in the document: `POST /connect/`. For a call that the service makes, its name: `POST host-app.user_data_url`. */
  readonly at: string;
  /** Unique in its document, and stable. */
  readonly id: string;
  readonly tag: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** Markdown. */
  readonly description?: string | undefined;
  /** Parameters of the query; a name that ends in `!` is required. */
  readonly query?: Members | undefined;
  /** Request headers; a name that ends in `!` is required. */
  readonly headers?: Members | undefined;
  readonly body?: Body | undefined;
  /** Successful answers by status. */
  readonly gives: Readonly<Record<number, Given>>;
  /** Refusal codes by status. */
  readonly refusals: Readonly<Record<number, readonly string[]>>;
  /** Headers of refusals, where the document's own rule allows them. */
  readonly refusalHeaders?: Members;
  /** Alternatives; the schemes within one entry are all required. */
  readonly security: readonly (readonly string[])[];
  /** Other members of the operation, such as `x-…`. */
  readonly more?: Readonly<Record<string, unknown>> | undefined;
}

export interface Body {
  readonly schema: Schema;
  /** Set when the body may be absent. */
  readonly optional?: boolean;
  readonly contentType?: string;
  readonly example?: unknown;
}

export interface Given {
  readonly description: string;
  /** Absent when there is no body. */
  readonly schema?: Schema | undefined;
  readonly contentType?: string;
  /** A trailing `!` marks a header that is always present. */
  readonly headers?: Members;
  readonly example?: unknown;
}

/** The part of OpenAPI 3.1 that the documents use. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly Readonly<Record<string, unknown>>[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Operations that the service serves. */
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Calls that the service makes, by name. */
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, unknown>>;
  readonly [extension: `x-${string}`]: unknown;
}
