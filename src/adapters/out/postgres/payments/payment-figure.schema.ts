import { EntitySchema } from 'typeorm';

/** The stage of a payment: created, opened by the host app, or with a result. */
export type PaymentStage = 'created' | 'accepted' | 'final';

/** The grain of the sums: whole hours, or half-days from midnight and from noon (UTC). */
export type PaymentGrain = 'hour' | 'half-day';

/**
 * A row of payment_figure_changes. The database writes one for each change of a counted column of a payment, and keeps it until it is
 * summed.
 */
export interface PaymentFigureChangeRow {
  seq: string;
  /** The hour in which the payment was created. */
  slot: Date;
  integration_id: string;
  stage: PaymentStage;
  /** Milliseconds from creation to result; null without a result. */
  ms: number | null;
  /** 1 for the new state, -1 for the old state. */
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

/** A row of payment_figure_sums: payments created in one slot that share the whole key. */
export interface PaymentFigureSumRow {
  grain: PaymentGrain;
  /** The id of the integration; empty for all integrations. */
  scope: string;
  slot: Date;
  stage: PaymentStage;
  /** The bar of the time to the result, from 1; 0: no result. */
  bar: number;
  /** The step of the time to the result, for percentiles. */
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

/** The row of payment_figure_progress: payments created from `since` on are in the sums and the changes. No row: none are. */
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
