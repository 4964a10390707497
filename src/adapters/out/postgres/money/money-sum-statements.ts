import type { Statement } from '../connection/statement';

const hourOf = (at: string): string => `date_bin('1 hour', ${at}, timestamptz 'epoch')`;
/** The day of a slot in UTC, and the beginning of that day. */
const dayOf = (at: string): string => `(${at} at time zone 'UTC')::date`;
const beginningOf = (at: string): string => `date_bin('1 day', ${at}, timestamptz 'epoch')`;

/** How one kind of amounts is summed by hours and by days. */
interface Summed {
  readonly name: 'reported' | 'paid';
  /** The table of the single records, the column of their time, and the condition that selects the counted ones. */
  readonly table: string;
  readonly at: string;
  readonly where: string;
  /** The grouping of the sums: columns of the changes, and the expression of each for a record. */
  readonly by: Readonly<Record<string, string>>;
  /** The columns of a record that are added up. */
  readonly added: Readonly<Record<string, string>>;
  /** Columns of the sums that are derived from their slot. */
  readonly slotColumns: Readonly<Record<string, string>>;
}

const reported: Summed = {
  ...{ name: 'reported', table: 'miniapp_transactions', at: 'at', where: 'true' },
  by: { client_id: 'client_id', app_id: 'app_id', integration_id: 'integration_id', currency: 'currency', status: 'status' },
  added: {
    ...{ count: '1', amount: 'amount' },
    ...{ shipping: 'coalesce(shipping, 0.00)', tax: 'coalesce(tax, 0.00)', discount: 'coalesce(discount, 0.00)' },
  },
  slotColumns: { day: dayOf('slot') },
};

const paid: Summed = {
  ...{ name: 'paid', table: 'order_payments', at: 'created_at' },
  where: `status = 'paid' and currency is not null and amount is not null`,
  by: { integration_id: 'integration_id', currency: 'upper(currency)' },
  added: { count: '1', amount: 'amount' },
  slotColumns: {},
};

/**
 * Adds the rows that `facts` selects (slots and columns of changes) to the sums of their hours and days. Rows are written in one order, so
 * that no two statements deadlock.
 */
function addToSums({ name, by, added, slotColumns }: Summed, source: string): string {
  const [apart, sums, ofSlot] = [Object.keys(by), Object.keys(added), Object.keys(slotColumns)];
  const key = ['grain', ...ofSlot, 'slot', ...apart];
  return `
    insert into ${name}_sums as s (${[...key, ...sums].join(', ')})
    select grain, ${[...Object.values(slotColumns), 'slot', ...apart].join(', ')}, ${sums.map((column) => `sum(${column})`).join(', ')}
    from (
      select grain, case grain when 'hour' then slot else ${beginningOf('slot')} end as slot, ${[...apart, ...sums].join(', ')}
      from (${source}) as fact, unnest(array['hour', 'day']) as grain
    ) as facts
    group by ${key.map((_, i) => i + 1).join(', ')} order by ${key.map((_, i) => i + 1).join(', ')}
    on conflict (${key.join(', ')}) do update set ${sums.map((column) => `${column} = s.${column} + excluded.${column}`).join(', ')}`;
}

/** The statements that sum one kind of amounts. */
export interface MoneySumStatements {
  readonly begin: Statement;
  readonly lock: Statement;
  readonly note: Statement;
  readonly since: Statement;
  readonly takeChanges: Statement;
  readonly lastBefore: Statement;
  readonly sumRecords: Statement;
}

function statementsOf(summed: Summed): MoneySumStatements {
  const { name, table, at, where, by, added } = summed;
  const columns = [...Object.keys(by), ...Object.keys(added)].join(', ');
  const ofRecords = [...Object.entries(by), ...Object.entries(added)].map(([column, value]) => `${value} as ${column}`).join(', ');
  const of = (what: string, text: string): Statement => ({ name: `money-sums.${what}-${name}`, text });
  return {
    /** Begins without sums: there are no records from $1 on. */
    begin: of('begin', `insert into money_sum_progress (name, since) values ('${name}', $1) on conflict (name) do nothing`),
    /** Lets one instance at a time add up. No row: another instance holds the lock. */
    lock: of('lock', `select since from money_sum_progress where name = '${name}' for update skip locked`),
    note: of('note', `update money_sum_progress set since = coalesce($1::timestamptz, '-infinity') where name = '${name}'`),
    since: of('since', `select since from money_sum_progress where name = '${name}'`),
    /**
     * Moves at most $1 changes into the sums. Leaves out changes of records before $2, because those records are summed later in their
     * current state.
     */
    takeChanges: of(
      'take-changes',
      `with taken as (
        delete from ${name}_changes where seq in (select seq from ${name}_changes order by seq limit $1) returning slot, ${columns}
      ), added as (${addToSums(summed, 'select * from taken where slot >= $2')})
      select count(*)::integer as taken from taken`,
    ),
    lastBefore: of('last-before', `select max(${at}) as at from ${table} where ${at} < $1`),
    /**
     * Sums the current state of records from $1 on, before $2. Deletes their changes in the same snapshot, because the records already
     * contain them.
     */
    sumRecords: of(
      'sum-records',
      `with seen as (delete from ${name}_changes where slot >= $1 and slot < $2)
      ${addToSums(summed, `select ${hourOf(at)} as slot, ${ofRecords} from ${table} where ${where} and ${at} >= $1 and ${at} < $2`)}`,
    ),
  };
}

export const moneySums = { reported: statementsOf(reported), paid: statementsOf(paid) } as const;
