import { EntitySchema } from 'typeorm';

/** How far a payment came: opened by the host app, and with its result. */
export type PaymentStage = 'created' | 'accepted' | 'final';

/** What payments are summed by: whole hours, or half-days from midnight and from noon (UTC). */
export type PaymentGrain = 'hour' | 'half-day';

/** A row of payment_figure_changes: written by the database with each change of a counted member of a payment, until it is summed. */
export interface PaymentFigureChangeRow {
  seq: string;
  /** The hour in which the payment was created. */
  slot: Date;
  integration_id: string;
  stage: PaymentStage;
  /** From its creation to its result; null: it has none. */
  ms: number | null;
  /** 1: so it is now; -1: so it was. */
  count: number;
}

export const paymentFigureChangeSchema = new EntitySchema<PaymentFigureChangeRow>({
  name: 'PaymentFigureChange',
  tableName: 'payment_figure_changes',
  columns: {
    seq: { type: 'bigint', primary: true, generated: 'increment', primaryKeyConstraintName: 'payment_figure_changes_pkey' },
    slot: { type: 'timestamptz' },
    integration_id: { type: 'text', collation: 'C' },
    stage: { type: 'text' },
    ms: { type: 'double precision', nullable: true },
    count: { type: 'integer' },
  },
});

/** A row of payment_figure_sums: payments created in one slot that stand alike. */
export interface PaymentFigureSumRow {
  grain: PaymentGrain;
  /** The id of their integration; empty: of all. */
  scope: string;
  slot: Date;
  stage: PaymentStage;
  /** Of the time to the result, from 1 on; 0: there is none. */
  bar: number;
  /** Of the time to the result, as percentiles are read off. */
  step: number;
  count: string;
}

const ofSums = <Type extends string>(type: Type) =>
  ({ type, primary: true, primaryKeyConstraintName: 'payment_figure_sums_pkey' }) as const;

export const paymentFigureSumSchema = new EntitySchema<PaymentFigureSumRow>({
  name: 'PaymentFigureSum',
  tableName: 'payment_figure_sums',
  columns: {
    grain: ofSums('text'),
    scope: { ...ofSums('text'), collation: 'C' },
    slot: ofSums('timestamptz'),
    stage: ofSums('text'),
    bar: ofSums('integer'),
    step: ofSums('integer'),
    count: { type: 'bigint' },
  },
});

/** The row of payment_figure_progress: payments created from `since` on are in the sums and the changes; none: no payment is. */
export interface PaymentFigureProgressRow {
  name: 'sums';
  since: Date;
}

export const paymentFigureProgressSchema = new EntitySchema<PaymentFigureProgressRow>({
  name: 'PaymentFigureProgress',
  tableName: 'payment_figure_progress',
  columns: {
    name: { type: 'text', primary: true, primaryKeyConstraintName: 'payment_figure_progress_pkey' },
    since: { type: 'timestamptz' },
  },
});
