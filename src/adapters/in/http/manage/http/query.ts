import type { Request } from 'express';
import type { PageRequest } from '../../../../../domain/partners/ports';
import type { FieldProblem } from '../../../../../domain/shared/errors';
import * as schema from '../../../../dto/schema';
import { mapInTurns } from '../../../../json/in-turns';
import { queryParameters, QueryRefused } from '../../reading/query-parameters';
import { ManageProblem } from './problem';

/** A query parameter: how its text is read, and what the description says of it. */
export interface QueryParameter<T = unknown> {
  /** Throws Refused. */
  readonly read: (text: string) => T;
  readonly schema: schema.Described;
  /** Described as required. The handler refuses a call without it, because a partner may leave out its own id. */
  readonly isRequired?: true;
}

export type QueryParameters = Readonly<Record<string, QueryParameter>>;

/** The values of these parameters. */
export type Read<P> = { [K in keyof P]?: P[K] extends QueryParameter<infer T> ? T : never };

/** The message is the rule that a parameter breaks. */
class Refused extends Error {}

const dateTime = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** An RFC 3339 time as milliseconds since the epoch. Throws Refused. */
export function readTime(text: string): number {
  const at = dateTime.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(at)) throw new Refused('must be a date and time as in RFC 3339');
  return at;
}

function readWord(text: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(text)) throw new Refused('must be 1 to 255 printable ASCII characters');
  return text;
}

function readText(text: string): string {
  if (text === '' || [...text].length > 255) throw new Refused('must have 1 to 255 characters');
  return text;
}

/** The longest cursor names a row of sums by all of its grouping values. */
function readCursor(text: string): string {
  if (!/^[A-Za-z0-9_-]{1,400}(?:\/[A-Za-z0-9_-]{1,64})?$/.test(text)) throw new Refused('must be a next_cursor of this list');
  return text;
}

const readOneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word => {
    const known = words.find((one) => one === text);
    if (known === undefined) throw new Refused(`must be one of ${words.join(', ')}`);
    return known;
  };

const readWhole =
  (min: number, max: number) =>
  (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (!(value >= min && value <= max)) throw new Refused(`must be a whole number from ${String(min)} to ${String(max)}`);
    return value;
  };

const parameter =
  <T>(read: (text: string) => T, form: schema.Schema) =>
  (description: string): QueryParameter<T> => ({ read, schema: schema.described(description, form) });

/** A token such as an id or a code. */
export const word = parameter(readWord, schema.text);
/** Text from outside, such as a user's reference. */
export const text = parameter(readText, schema.text);
/** An RFC 3339 time, converted to milliseconds since the epoch. */
export const time = parameter(readTime, schema.time);
/** A number that the description does not limit. */
export const count = parameter(readWhole(0, 999_999_999), schema.count);
export const oneOf = <const Word extends string>(words: readonly Word[], description: string): QueryParameter<Word> =>
  parameter(readOneOf(words), schema.oneOf(...words))(description);
/** `usual` is the number of a call without the parameter, for the description. */
export const whole = (min: number, max: number, description: string, usual?: number): QueryParameter<number> => {
  const form = { ...schema.whole, minimum: min, maximum: max, ...(usual !== undefined && { default: usual }) };
  return parameter(readWhole(min, max), form)(description);
};
export const required = <T>(one: QueryParameter<T>): QueryParameter<T> => ({ ...one, isRequired: true });

const usualLimit = 50;
/** Parameters of every list. */
export const pageParameters = {
  limit: whole(1, 200, 'Most entries that the page may hold.', usualLimit),
  cursor: parameter(readCursor, schema.text)('`next_cursor` of the page before; absent: the first page.'),
};

/** Adds the parameters of a list to a call that returns everything at once. */
export const onePage = <P extends QueryParameters>(parameters: P): P & typeof pageParameters => ({
  ...parameters,
  limit: parameter(pageParameters.limit.read, schema.whole)('Accepted as at every list; one page holds everything.'),
  cursor: parameter(readCursor, schema.text)('Accepted as at every list; there is no second page.'),
});

/** The filters and the page of a list. Throws ManageProblem with every mistake. */
export function readList<P extends QueryParameters>(req: Request, filters: P): { filter: Read<P>; page: PageRequest } {
  const all: object = readQuery(req, { ...filters, ...pageParameters });
  const { limit = usualLimit, cursor: after, ...filter } = all as Read<typeof pageParameters>;
  // The filters read the rest.
  return { filter: filter, page: { limit, after } };
}

/** Reads a query with these parameters and no others. Throws ManageProblem with every mistake. */
export function readQuery<P extends QueryParameters>(req: Request, parameters: P): Read<P> {
  const all: QueryParameters = parameters;
  const values: Record<string, unknown> = {};
  const errors: FieldProblem[] = [];
  const names = Object.keys(all).join(', ') || 'nothing';
  // Reads the request target itself: the content of req.query depends on settings of the surrounding app.
  for (const [name, value] of parametersOf(req)) {
    if (!Object.hasOwn(all, name)) errors.push({ path: name.slice(0, 64), rule: `unknown: it takes ${names}` });
    else if (Object.hasOwn(values, name)) errors.push({ path: name, rule: 'must be given once' });
    else values[name] = attempt(all[name]!, { name, value }, errors);
  }
  if (errors.length > 0) throw new ManageProblem('invalid-content', { errors });
  // Each parameter gave its value the type in Read.
  return values as Read<P>;
}

function parametersOf(req: Request): ReturnType<typeof queryParameters> {
  try {
    return queryParameters(req.originalUrl);
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error;
    throw new ManageProblem('invalid-content', { errors: [{ path: error.parameter, rule: error.rule }] });
  }
}

function attempt({ read }: QueryParameter, { name, value }: { name: string; value: string }, errors: FieldProblem[]): unknown {
  try {
    return read(value);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    errors.push({ path: name, rule: error.message });
    return undefined;
  }
}

/** Asks for one row more than the page holds, to know whether another page follows. */
export async function pageOf<T>(
  page: PageRequest,
  list: (page: PageRequest) => Promise<readonly T[]>,
  { show, cursorOf }: { show: (row: T) => unknown; cursorOf: (row: T) => string },
): Promise<{ data: unknown[]; next_cursor: string | null }> {
  const rows = await list({ ...page, limit: page.limit + 1 });
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    data: await mapInTurns(shown, async (row) => show(row)),
    next_cursor: rows.length > page.limit && last !== undefined ? cursorOf(last) : null,
  };
}
