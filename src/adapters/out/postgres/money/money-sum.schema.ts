import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';

/** The grain of the sums: whole hours, or days (UTC). */
export type MoneyGrain = 'hour' | 'day';

/** A row of money_sum_progress: records from `since` on are in the sums and the changes. No row: none are. */
export interface MoneySumProgressRow {
  name: 'reported' | 'paid';
  /** -Infinity: all records are. */
  since: Date | number;
}

type Columns = Readonly<Record<string, EntitySchemaColumnOptions>>;

const word = { type: 'text', collation: 'C' } as const;
const number = { type: 'numeric' } as const;
const count = { type: 'bigint' } as const;
const reportedAmounts = { count, amount: number, shipping: number, tax: number, discount: number } as const;

/** Changes that are not summed yet; the database writes them. `slot` is their hour. */
const changes = (table: string, entity: string, columns: Columns): EntitySchema =>
  new EntitySchema({
    name: entity,
    tableName: table,
    columns: {
      seq: { type: 'bigint', primary: true, generated: 'increment', primaryKeyConstraintName: `${table}_pkey` },
      slot: { type: 'timestamptz' },
      ...columns,
    },
  });

const inKey = (table: string, columns: Columns): Columns =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, { ...column, primary: true, primaryKeyConstraintName: `${table}_pkey` }]),
  );

/** Reported transactions with equal keys. `slot` is the beginning of the hour or of the day. */
const reportedSums = new EntitySchema({
  name: 'ReportedSum',
  tableName: 'reported_sums',
  columns: {
    ...inKey('reported_sums', {
      ...{ grain: { type: 'text' }, day: { type: 'date' }, client_id: word, app_id: word, currency: word, status: word },
      ...{ slot: { type: 'timestamptz' }, integration_id: word },
    }),
    ...reportedAmounts,
  },
  indices: [
    { name: 'reported_sums_of_host_app', columns: ['client_id', 'grain', 'day', 'app_id'] },
    { name: 'reported_sums_of_miniapp', columns: ['app_id', 'grain', 'day', 'client_id'] },
    { name: 'reported_sums_of_pair', columns: ['client_id', 'app_id', 'grain', 'day'] },
  ],
});

/** Paid payments by creation time; currency codes in capitals. */
const paidSums = new EntitySchema({
  name: 'PaidSum',
  tableName: 'paid_sums',
  columns: {
    ...inKey('paid_sums', { grain: { type: 'text' }, integration_id: word, slot: { type: 'timestamptz' }, currency: word }),
    ...{ count, amount: number },
  },
});

/** The tables of sums of money. */
export const moneySumSchemas: EntitySchema[] = [
  changes('reported_changes', 'ReportedChange', {
    ...{ client_id: word, app_id: word, integration_id: word, currency: word, status: word },
    ...reportedAmounts,
  }),
  reportedSums,
  // `count` may be negative.
  changes('paid_changes', 'PaidChange', { integration_id: word, currency: word, count, amount: number }),
  paidSums,
  new EntitySchema<MoneySumProgressRow>({
    name: 'MoneySumProgress',
    tableName: 'money_sum_progress',
    columns: {
      name: { type: 'text', primary: true, primaryKeyConstraintName: 'money_sum_progress_pkey' },
      since: { type: 'timestamptz' },
    },
  }),
];
