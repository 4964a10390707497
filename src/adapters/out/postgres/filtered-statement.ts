import type { DataSource } from 'typeorm';
import { run, type Statement } from './statement';

/** A condition of a list: SQL with `?` for its value, or of each value that there is its own SQL, so that an index of such rows alone can be used. */
type Condition = string | Readonly<Record<string, string>>;
export type Conditions<Filter> = { readonly [K in keyof Required<Filter>]: Condition };

/**
 * A list statement with only the conditions that are asked for. Without a name, so that the database plans it for the values of each call: a
 * plan for any partner is wrong for the one that has half of the table. Values that are missing ask for nothing; those of the `?` in `end`
 * follow the values of the filter.
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

/** The conditions for what `byIntegrations` makes of a filter, on the column that holds the id of an integration. */
export const ofIntegrations = (column: string): Conditions<OfIntegrations> => ({
  // One id by equality: only that can follow the order of an index by integration and time.
  integrationId: `${column} = ?`,
  integrationIds: `${column} = any(?::text[])`,
});

const pairConditions: Conditions<OfPair> = { clientId: 'client_id = ?', appId: 'app_id = ?' };

/**
 * For a table that knows its integration by its id: the filter with the ids of the integrations in place of the partners, so that the database
 * plans for how much these have. `undefined`: the partners have no integration.
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
