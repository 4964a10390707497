import type { Request } from 'express';
import type { PageRequest } from '../../../../../domain/partners/ports';
import type { FieldProblem } from '../../../../../domain/shared/errors';
import { queryParameters, QueryRefused } from '../../reading/query-parameters';
import { ManageProblem } from './problem';

/** Parses one query parameter. Throws Refused. */
type Reader<T> = (text: string) => T;

/** The message is the rule that a parameter breaks. */
class Refused extends Error {}

const dateTime = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** A token such as an id or a code. */
export const word: Reader<string> = (text) => {
  if (!/^[\x21-\x7e]{1,255}$/.test(text)) throw new Refused('must be 1 to 255 printable ASCII characters');
  return text;
};

/** Text from outside, such as a user's reference. */
export const text: Reader<string> = (value) => {
  if (value === '' || [...value].length > 255) throw new Refused('must have 1 to 255 characters');
  return value;
};

/** An RFC 3339 time, converted to milliseconds since the epoch. */
export const time: Reader<number> = (text) => {
  const at = dateTime.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(at)) throw new Refused('must be a date and time as in RFC 3339');
  return at;
};

export const oneOf =
  <Word extends string>(words: readonly Word[]): Reader<Word> =>
  (text) => {
    const known = words.find((one) => one === text);
    if (known === undefined) throw new Refused(`must be one of ${words.join(', ')}`);
    return known;
  };

export const whole =
  (min: number, max: number): Reader<number> =>
  (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (!(value >= min && value <= max)) throw new Refused(`must be a whole number from ${String(min)} to ${String(max)}`);
    return value;
  };

/** The longest cursor names a row of sums by all of its grouping values. */
const cursor: Reader<string> = (text) => {
  if (!/^[A-Za-z0-9_-]{1,400}(?:\/[A-Za-z0-9_-]{1,64})?$/.test(text)) throw new Refused('must be a next_cursor of this list');
  return text;
};

/** The values that the readers of a query return. */
export type Read<Readers> = { [K in keyof Readers]?: Readers[K] extends Reader<infer T> ? T : never };

/** Reads a list's query: its filters, `limit` (1 to 200, default 50) and `cursor`. Throws ManageProblem with every mistake. */
export function listQuery<Readers extends Record<string, Reader<unknown>>>(
  req: Request,
  readers: Readers,
): { filter: Read<Readers>; page: PageRequest } {
  const values: object = query(req, { ...readers, limit: whole(1, 200), cursor });
  const { limit = 50, cursor: after, ...filter } = values as { limit?: number; cursor?: string };
  // The list's own readers produced the rest.
  return { filter, page: { limit, after } };
}

/** Reads a query with these parameters and no others. Throws ManageProblem with every mistake. */
export function query<Readers extends Record<string, Reader<unknown>>>(req: Request, readers: Readers): Read<Readers> {
  const all: Record<string, Reader<unknown>> = readers;
  const values: Record<string, unknown> = {};
  const errors: FieldProblem[] = [];
  const names = Object.keys(all).join(', ') || 'nothing';
  // Reads the request target itself: the content of req.query depends on settings of the surrounding app.
  for (const [name, text] of parametersOf(req)) {
    if (!Object.hasOwn(all, name)) errors.push({ path: name.slice(0, 64), rule: `unknown: it takes ${names}` });
    else if (Object.hasOwn(values, name)) errors.push({ path: name, rule: 'must be given once' });
    else values[name] = attempt(all[name]!, { name, text }, errors);
  }
  if (errors.length > 0) throw new ManageProblem('invalid-content', { errors });
  // The readers gave each parameter the type in Read.
  return values as Read<Readers>;
}

function parametersOf(req: Request): ReturnType<typeof queryParameters> {
  try {
    return queryParameters(req.originalUrl);
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error;
    throw new ManageProblem('invalid-content', { errors: [{ path: error.parameter, rule: error.rule }] });
  }
}

function attempt(reader: Reader<unknown>, { name, text }: { name: string; text: string }, errors: FieldProblem[]): unknown {
  try {
    return reader(text);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    errors.push({ path: name, rule: error.message });
    return undefined;
  }
}

export { pageOf } from './query';
