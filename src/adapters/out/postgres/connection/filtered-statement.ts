import type { DataSource } from 'typeorm';
import { run, type Statement } from './statement';

/** A condition of a list: SQL with `?` for its value, or separate SQL for each possible value, so that a partial index can be used. */
type Condition = string | Readonly<Record<string, string>>;
export type Conditions<Filter> = { readonly [K in keyof Required<Filter>]: Condition };

/**
 * A list statement with only the requested conditions. It has no name, so the database plans it for the values of each call: a plan that
 * suits most partners is wrong for the one with half of the table. Missing values add no condition; the values of `?` in `end` follow those
 * of the filter.
 */
export function filteredStatement<Filter extends object>(
  { select, end }: { readonly select: string; readonly end: string },
  conditions: Conditions<Filter>,
  filter: Filter,
): { readonly statement: Statement; readonly values: unknown[] } {
  const known = Object.keys(conditions) as (keyof Filter & string)[];
  const values: unknown[] = [];
  const textOf = (condition: Condition, value: unknown): string =>
    typeof condition === 'string' ? condition.replaceAll('?', `$${values.push(value)}`) : (condition[String(value)] ?? 'false');
  const where = known.filter((key) => filter[key] !== undefined).map((key) => textOf(conditions[key], filter[key]));
  let number = values.length;
  const text = `${select}${where.length > 0 ? ` where ${where.join(' and ')}` : ''} ${end.replaceAll('?', () => `$${++number}`)}`;
  return { statement: { name: '', text }, values };
}

interface OfPair {
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
}

interface OfIntegrations {
  readonly integrationId?: string;
  readonly integrationIds?: readonly string[];
}

/** The conditions for the result of `byIntegrations`, on the column with the integration id. */
export const ofIntegrations = (column: string): Conditions<OfIntegrations> => ({
  // Compares one id by equality, because only that can use the order of an index by integration and time.
  integrationId: `${column} = ?`,
  integrationIds: `${column} = any(?::text[])`,
});

const pairConditions: Conditions<OfPair> = { clientId: 'client_id = ?', appId: 'app_id = ?' };

/**
 * For a table with only an integration id: replaces the partners of the filter by the ids of their integrations, so that the database plans
 * for the number of their rows. `undefined`: the partners have no integration.
 */
export async function byIntegrations<Filter extends OfPair>(
  db: DataSource,
  { clientId, appId, ...rest }: Filter,
): Promise<(Omit<Filter, keyof OfPair> & OfIntegrations) | undefined> {
  if (clientId === undefined && appId === undefined) return rest;
  const { statement, values } = filteredStatement({ select: 'select id from integrations', end: '' }, pairConditions, { clientId, appId });
  const [id, ...others] = (await run<{ id: string }>(db, statement, values)).map((row) => row.id);
  if (id === undefined) return undefined;
  return others.length === 0 ? { ...rest, integrationId: id } : { ...rest, integrationIds: [id, ...others] };
}
