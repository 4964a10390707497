import type { ProblemKind } from '../../adapters/in/http/manage/problem';
import type { Class } from '../class-schema';
import type { Schema } from '../schema';

/** Who may make a call: as the routes declare it. */
export type Who = 'operator' | 'everyone' | 'host apps' | 'miniapps' | 'anyone';

/** A call of the manage API, as short as it can be said. */
export interface ManageCall {
  readonly id: string;
  readonly says: string;
  readonly who: Who;
  /** Markdown: what the line and the schemas do not say. */
  readonly more?: string;
  /** It is the operator's too while looking as a partner. */
  readonly whileLooking?: true;
  readonly query?: Readonly<Record<string, Schema>>;
  /** A class of the route, or a schema. */
  readonly body?: Class | Schema;
  readonly bodyOptional?: true;
  readonly patch?: true;
  /** The schema of the answer; absent: 204. */
  readonly gives?: Schema;
  /** The status of the answer; 200, or 204 without a schema. */
  readonly status?: number;
  /** Another success beside. */
  readonly or?: { readonly status: number; readonly says: string; readonly schema: Schema };
  readonly contentType?: string;
  /** The record has a version: `ETag` out, `If-Match` in where it is changed. */
  readonly versioned?: 'shown' | 'changed';
  readonly location?: true;
  /** Kinds of problem beside those that follow from the rest. */
  readonly kinds?: readonly ProblemKind[];
  /** There is nothing in the path that may be missing, though it has parameters. */
  readonly never404?: true;
}

/** Calls by method and path below /manage/v1. */
export type ManageCalls = Readonly<Record<string, ManageCall>>;

/** Calls under one heading. */
export interface ManageTag {
  readonly name: string;
  readonly says: string;
  readonly calls: ManageCalls;
}
