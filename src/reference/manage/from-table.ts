import { parametersOf, type Calls } from '../../adapters/in/http/manage/http/call';
import type { QueryParameters } from '../../adapters/in/http/manage/http/query';
import type { Members } from '../../adapters/dto/schema';
import type { ManageCalls } from './operation';

/** The calls of a table by method and path. */
export const fromTable = (calls: Calls): ManageCalls =>
  Object.fromEntries(
    Object.values(calls).map((call) => {
      const { at, filters, query, ...rest } = call;
      return [at, { ...rest, ...((filters ?? query) && { query: membersOf(parametersOf(call)) }) }];
    }),
  );

/** Query parameters as members; a name that ends in `!` is required. */
export const membersOf = (parameters: QueryParameters): Members =>
  Object.fromEntries(Object.entries(parameters).map(([name, { schema, isRequired }]) => [`${name}${isRequired ? '!' : ''}`, schema]));
