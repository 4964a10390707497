import type { Schema } from './schema';

/** What one HTTP call asks for and answers, from which its part of an OpenAPI document is made. */
export interface Operation {
  /** Method and path as in the document: `POST /connect/`; or, of a call that the service makes, its name: `POST host-app.user_data_url`. */
  readonly at: string;
  /** Unique in its document; stays. */
  readonly id: string;
  readonly tag: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** Markdown. */
  readonly description?: string | undefined;
  /** Parameters of the query; a name that ends in `!` is required. */
  readonly query?: Readonly<Record<string, Schema>> | undefined;
  /** Request headers; a name that ends in `!` is required. */
  readonly headers?: Readonly<Record<string, Schema>> | undefined;
  readonly body?: Body | undefined;
  /** Answers of success by their status. */
  readonly gives: Readonly<Record<number, Given>>;
  /** What it can refuse with, by status. */
  readonly refusals: Readonly<Record<number, readonly string[]>>;
  /** Headers that refusals may have, where the document's own rule lets them. */
  readonly refusalHeaders?: Readonly<Record<string, Schema>>;
  /** Each entry alone suffices; within one, all together. */
  readonly security: readonly (readonly string[])[];
  /** Other members of the operation, such as `x-…`. */
  readonly more?: Readonly<Record<string, unknown>> | undefined;
}

export interface Body {
  readonly schema: Schema;
  /** A call without a body is good too. */
  readonly optional?: boolean;
  readonly contentType?: string;
  readonly example?: unknown;
}

export interface Given {
  readonly says: string;
  /** Absent: there is no body. */
  readonly schema?: Schema | undefined;
  readonly contentType?: string;
  /** A name that ends in `!`: it is always there. */
  readonly headers?: Readonly<Record<string, Schema>>;
  readonly example?: unknown;
}

/** A document of OpenAPI 3.1, as far as we make it. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly Readonly<Record<string, unknown>>[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Of what the service serves. */
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Of what it calls itself, by name. */
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, unknown>>;
  readonly [extension: `x-${string}`]: unknown;
}
