import type { Statement } from './statement';

/** A condition of a list: SQL with one `?` for its value. */
export type Conditions<Filter> = { readonly [K in keyof Required<Filter>]: string };

/**
 * A list statement with only the conditions that are asked for, so that each combination has the plan that fits it, and
 * a name of its own. Values that are missing ask for nothing; those of the `?` in `end` follow the values of the filter.
 */
export function filteredStatement<Filter extends object>(
  { name, select, end }: { readonly name: string; readonly select: string; readonly end: string },
  conditions: Conditions<Filter>,
  filter: Filter,
): { readonly statement: Statement; readonly values: unknown[] } {
  const known = Object.keys(conditions) as (keyof Filter & string)[];
  const asked = known.filter((key) => filter[key] !== undefined);
  const where = asked.map((key, i) => conditions[key].replaceAll('?', `$${i + 1}`));
  let number = asked.length;
  const text = `${select}${where.length > 0 ? ` where ${where.join(' and ')}` : ''} ${end.replaceAll('?', () => `$${++number}`)}`;
  // By number: the names of prepared statements end at 63 characters.
  const combination = asked.map((key) => known.indexOf(key)).join('.');
  return { statement: { name: `${name} ${combination}`, text }, values: asked.map((key) => filter[key]) };
}

interface OfPair {
  readonly clientId?: string;
  readonly appId?: string;
}

/** The condition for a pair in a table that knows its integration by its id: a look-up of one, in the order of an index by integration. */
export const ofPair = (integrationId: string): string =>
  `${integrationId} = (select id from integrations where client_id = (?::text[])[1] and app_id = (?::text[])[2])`;

/** The conditions for one partner in a table that knows its integration by its id: by an index of integrations, where the partner has few. */
export const ofPartner = (integrationId: string): Readonly<Record<'clientId' | 'appId', string>> => ({
  clientId: `${integrationId} = any(array(select id from integrations where client_id = ?))`,
  appId: `${integrationId} = any(array(select id from integrations where app_id = ?))`,
});

/** A filter in which the two partners of a pair, where both are asked for, are one value: for `ofPair`. */
export function pairedFilter<Filter extends OfPair>(
  filter: Filter,
): Filter | (Omit<Filter, keyof OfPair> & { readonly pair: readonly string[] }) {
  const { clientId, appId, ...rest } = filter;
  return clientId === undefined || appId === undefined ? filter : { ...rest, pair: [clientId, appId] };
}
