import type { PageRequest } from '../../../../../domain/partners/ports';
import type { DtoClass } from '../../../../dto/rule';
import type { Schema } from '../../../../dto/schema';
import type { ProblemKind } from './problem';
import { pageParameters, type QueryParameters, type Read } from './query';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may use a call. `everyone` is every signed-in account: the handler must restrict itself to records of `scopeOf(req)`. `host apps` and
 * `miniapps` are the operator and accounts of that kind of partner. `anyone` needs no sign-in.
 */
export type Who = 'operator' | 'everyone' | 'host apps' | 'miniapps' | 'anyone';

/** A call of the manage API: `serve` routes it, and the OpenAPI document describes it. */
export interface Call {
  /** Method and path below /manage/v1. */
  readonly at: `${Method} /${string}`;
  readonly id: string;
  readonly summary: string;
  readonly who: Who;
  /** Details in Markdown, in addition to the summary and the schemas. */
  readonly more?: string;
  /** Set when the call changes nothing or only the session: the operator may use it while viewing as a partner. */
  readonly whileViewingAs?: true;
  /** The filters of a list. The call also takes `limit` and `cursor`. */
  readonly filters?: QueryParameters;
  /** The query of a call that is no list. A call without `filters` and `query` takes no parameter. */
  readonly query?: QueryParameters;
  /** Class of the body in the handler, or a schema. A call without it reads no body. */
  readonly body?: DtoClass | Schema;
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
}

/** Calls of one feature by name, in the order of the document. */
export type Calls = Readonly<Record<string, Call>>;

/** The values of a call's query: `filter` and `page` for a list. */
export type QueryOf<C> = C extends { readonly filters: infer F }
  ? { readonly filter: Read<F>; readonly page: PageRequest }
  : C extends { readonly query: infer Q }
    ? Read<Q>
    : object;

/** Every query parameter of a call. */
export const parametersOf = ({ filters, query = {} }: Call): QueryParameters => (filters ? { ...filters, ...pageParameters } : query);
