import type { ProblemKind } from '../../adapters/in/http/manage/http/problem';
import type { Class } from '../class-schema';
import type { Members, Schema } from '../../adapters/dto/schema';

/** The audience of a call, as the routes declare it. */
export type Who = 'operator' | 'everyone' | 'host apps' | 'miniapps' | 'anyone';

/** Documentation of a call of the manage API. */
export interface ManageCall {
  readonly id: string;
  readonly summary: string;
  readonly who: Who;
  /** Details in Markdown, in addition to the summary and the schemas. */
  readonly more?: string;
  /** The operator may call it while viewing as a partner. */
  readonly whileViewingAs?: true;
  readonly query?: Members;
  /** Class of the body in the route, or a schema. */
  readonly body?: Class | Schema;
  readonly bodyOptional?: true;
  readonly patch?: true;
  /** The schema of the answer. Absent for 204. */
  readonly gives?: Schema;
  /** The status of the answer; by default 200, or 204 without a schema. */
  readonly status?: number;
  /** A second kind of success. */
  readonly or?: { readonly status: number; readonly description: string; readonly schema: Schema };
  readonly contentType?: string;
  /** The record has a version: answers carry `ETag`, and changes accept `If-Match`. */
  readonly versioned?: 'shown' | 'changed';
  readonly location?: true;
  /** Problem kinds in addition to the implied ones. */
  readonly kinds?: readonly ProblemKind[];
  /** Set when the path has parameters but cannot give 404. */
  readonly never404?: true;
}

/** Calls by method and path below /manage/v1. */
export type ManageCalls = Readonly<Record<string, ManageCall>>;

/** Calls under one heading of the document. */
export interface ManageTag {
  readonly name: string;
  readonly description: string;
  readonly calls: ManageCalls;
}
/** A recorded example of a call. */
export interface ManageExample {
  /** The request body, if the call has one. */
  readonly body?: unknown;
  /** The answer's body, if there is one. */
  readonly answer?: unknown;
  /** The answer of the second kind of success. */
  readonly or?: unknown;
}

/** Examples by operation id. */
export type ManageExamples = Readonly<Record<string, ManageExample>>;
