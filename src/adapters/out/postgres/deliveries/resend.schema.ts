import { EntitySchema } from 'typeorm';
import type { ResendState } from '../../../../domain/deliveries/resend';

/** A row of resends: a batch of deliveries that the operator resends, `per_second` at a time. */
export interface ResendRow {
  id: string;
  /** The requested filter, for display. */
  filter: object;
  per_second: number;
  state: ResendState;
  /** The number of its deliveries. */
  count: number;
  /** The last `seq` that has been queued again. */
  fed_to: string;
  fed_at: Date;
  created_at: Date;
  ended_at: Date | null;
}

export const resendSchema = new EntitySchema<ResendRow>({
  name: 'Resend',
  tableName: 'resends',
  columns: {
    id: { type: 'text', primary: true, primaryKeyConstraintName: 'resends_pkey' },
    filter: { type: 'jsonb' },
    per_second: { type: 'integer' },
    state: { type: 'text' },
    count: { type: 'integer' },
    fed_to: { type: 'bigint' },
    fed_at: { type: 'timestamptz' },
    created_at: { type: 'timestamptz' },
    ended_at: { type: 'timestamptz', nullable: true },
  },
  checks: [{ name: 'resends_state', expression: `state in ('running', 'done', 'cancelled')` }],
  indices: [
    { name: 'resends_running', columns: ['fed_at'], where: `state = 'running'` },
    { name: 'resends_by_time', columns: ['created_at'] },
  ],
});

/**
 * A row of resend_items: a delivery of a batch and its earlier state. All columns but `state_before` are filled only when it is queued
 * again.
 */
export interface ResendItemRow {
  resend_id: string;
  /** The `seq` of the delivery. */
  seq: string;
  delivery_id: string;
  state_before: 'ready' | 'delivered' | 'failed';
  parked_before: string | null;
  due_before: Date | null;
  ended_before: Date | null;
  resent_before: Date | null;
  tries_before: number | null;
  attempts_before: number | null;
}

const itemKey = { primary: true, primaryKeyConstraintName: 'resend_items_pkey' } as const;

export const resendItemSchema = new EntitySchema<ResendItemRow>({
  name: 'ResendItem',
  tableName: 'resend_items',
  columns: {
    resend_id: { type: 'text', ...itemKey },
    seq: { type: 'bigint', ...itemKey },
    delivery_id: { type: 'text' },
    state_before: { type: 'text' },
    parked_before: { type: 'text', nullable: true },
    due_before: { type: 'timestamptz', nullable: true },
    ended_before: { type: 'timestamptz', nullable: true },
    resent_before: { type: 'timestamptz', nullable: true },
    tries_before: { type: 'integer', nullable: true },
    attempts_before: { type: 'integer', nullable: true },
  },
});
