import { EntitySchema } from 'typeorm';
import type { AttemptReason, DeliveryKind, DeliveryState, DeliveryContent, Receiver } from '../../../../domain/deliveries/delivery';
import type { OutboxEvent } from '../../../../domain/deliveries/ports';
import { JsonObject } from '../../../../domain/shared/json';
import { printInTurns, readInTurns } from '../../../json/in-turns';
import { completionFrom } from '../payments/payment.schema';

/** A row of deliveries: pending until a partner receives it or it is given up. */
export interface DeliveryRow {
  id: string;
  /** Increases in the order in which deliveries of one key were queued. */
  seq: string;
  integration_id: string;
  kind: DeliveryKind;
  receiver: Receiver;
  /** Deliveries of one key are sent in order. A delivery without an order has its id as key. */
  key: string;
  queue: string;
  /** True for the first pending delivery of its key. */
  head: boolean;
  body: Buffer;
  /** Parked deliveries have `ready` too, with `parked_by` set. */
  state: 'ready' | 'delivered' | 'failed';
  parked_by: string | null;
  attempts: number;
  /** Scheduled attempts since the delivery was created or resent. */
  tries: number;
  due_at: Date;
  lease: string | null;
  lease_until: Date | null;
  created_at: Date;
  resent_at: Date | null;
  ended_at: Date | null;
  /** The operator asked for the next attempt. */
  by_operator: boolean;
  /** When the delivery is due again after the attempt that the operator asked for. */
  resume_at: Date | null;
  /** When its last failed attempt ended. */
  attempted_at: Date | null;
  /** The operator's batch that its next attempt belongs to. */
  resend_id: string | null;
  /** The reason that the operator gave for aborting it. Null: not aborted. */
  aborted_reason: string | null;
}

export const deliverySchema = new EntitySchema<DeliveryRow>({
  name: 'Delivery',
  tableName: 'deliveries',
  columns: {
    id: { type: 'text', primary: true, primaryKeyConstraintName: 'deliveries_pkey' },
    integration_id: { type: 'text' },
    kind: { type: 'text' },
    key: { type: 'text' },
    body: { type: 'bytea' },
    state: { type: 'text' },
    attempts: { type: 'integer', default: 0 },
    due_at: { type: 'timestamptz' },
    lease: { type: 'text', nullable: true },
    lease_until: { type: 'timestamptz', nullable: true },
    created_at: { type: 'timestamptz' },
    seq: { type: 'bigint', generated: 'increment' },
    receiver: { type: 'text', default: 'miniapp' },
    tries: { type: 'integer', default: 0 },
    parked_by: { type: 'text', nullable: true },
    resent_at: { type: 'timestamptz', nullable: true },
    ended_at: { type: 'timestamptz', nullable: true },
    queue: { type: 'text', collation: 'C', default: '' },
    head: { type: 'boolean', default: true },
    by_operator: { type: 'boolean', default: false },
    resume_at: { type: 'timestamptz', nullable: true },
    attempted_at: { type: 'timestamptz', nullable: true },
    resend_id: { type: 'text', nullable: true },
    aborted_reason: { type: 'text', nullable: true },
  },
  checks: [
    { name: 'deliveries_kind', expression: `kind in ('completion', 'event')` },
    { name: 'deliveries_receiver', expression: `receiver in ('hostapp', 'miniapp')` },
    { name: 'deliveries_state', expression: `state in ('ready', 'delivered', 'failed')` },
  ],
  indices: [
    { name: 'deliveries_due', columns: ['queue', 'due_at', 'seq'], where: `state = 'ready' and head and parked_by is null` },
    { name: 'deliveries_by_operator', columns: ['due_at'], where: `state = 'ready' and by_operator and resend_id is null` },
    { name: 'deliveries_parked', columns: ['due_at'], where: `state = 'ready' and parked_by is not null` },
    { name: 'deliveries_parked_from', columns: ['created_at'], where: `state = 'ready' and parked_by is not null` },
    { name: 'deliveries_parked_of', columns: ['integration_id'], where: `state = 'ready' and parked_by is not null` },
    // `is not null` is always true; it keeps the planner from using this index to find due rows.
    { name: 'deliveries_pending_from', columns: ['created_at'], where: `state = 'ready' and parked_by is null and created_at is not null` },
    { name: 'deliveries_by_resend', columns: ['resend_id'], where: 'resend_id is not null' },
    { name: 'deliveries_ended', columns: ['state', 'ended_at'], where: `state <> 'ready'` },
    { name: 'deliveries_by_integration', columns: ['integration_id', 'created_at'] },
    { name: 'deliveries_by_seq', columns: ['seq'], unique: true },
    { name: 'deliveries_of_key', columns: ['key', 'seq'], where: `state = 'ready' and key is not null` },
    { name: 'deliveries_by_time', columns: ['created_at'] },
    { name: 'deliveries_events', columns: ['created_at'], where: `kind = 'event'` },
    { name: 'deliveries_failed', columns: ['created_at'], where: `state = 'failed'` },
    {
      name: 'deliveries_parked_completions',
      columns: ['id'],
      where: `kind = 'completion' and state = 'ready' and parked_by is not null`,
    },
    { name: 'deliveries_failed_completions', columns: ['id'], where: `kind = 'completion' and state = 'failed'` },
  ],
});

/** A row of delivery_attempts. */
export interface AttemptRow {
  delivery_id: string;
  /** Counts from 1. */
  number: number;
  reason: AttemptReason;
  at: Date;
  ms: number;
  status: number | null;
  error_code: string | null;
  cause: string | null;
}

const attemptKey = { primary: true, primaryKeyConstraintName: 'delivery_attempts_pkey' } as const;

export const deliveryAttemptSchema = new EntitySchema<AttemptRow>({
  name: 'DeliveryAttempt',
  tableName: 'delivery_attempts',
  columns: {
    delivery_id: { type: 'text', ...attemptKey },
    number: { type: 'integer', ...attemptKey },
    reason: { type: 'text', default: 'schedule' },
    at: { type: 'timestamptz' },
    ms: { type: 'integer' },
    status: { type: 'integer', nullable: true },
    error_code: { type: 'text', nullable: true },
    cause: { type: 'text', nullable: true },
  },
});

/** The state of the delivery `d` that is shown: a ready delivery with `parked_by` is `parked`. */
export const stateShown = `case when d.state = 'ready' and d.parked_by is not null then 'parked' else d.state end`;

/** The condition for each shown state, written like the predicates of the indexes so that the planner uses them. */
export const isInState: Readonly<Record<DeliveryState, string>> = {
  ready: `d.state = 'ready' and d.parked_by is null and d.created_at is not null`,
  parked: `d.state = 'ready' and d.parked_by is not null`,
  delivered: `d.state = 'delivered'`,
  failed: `d.state = 'failed'`,
};

/** The seal context of a delivery's body. */
export const bodySealContext = (id: string): string => `deliveries.body:${id}`;

/** The text of an event that is sealed. */
export const eventText = ({ requestId, span, body }: OutboxEvent): Promise<string> =>
  printInTurns(JsonObject.of({ request_id: requestId, span, body }));

/** Parses the decrypted content of a delivery: `eventText` or the report of a completion. Throws if it is anything else. */
export async function contentFrom({ kind, receiver }: Pick<DeliveryRow, 'kind' | 'receiver'>, bytes: Uint8Array): Promise<DeliveryContent> {
  if (kind === 'completion') return { kind, completion: await completionFrom(bytes) };
  const stored = await readInTurns(bytes);
  const [body, requestId, span] = stored instanceof JsonObject ? [stored.get('body'), stored.get('request_id'), stored.get('span')] : [];
  if (!(body instanceof JsonObject) || typeof requestId !== 'string') throw new Error('A stored event lacks its body or request id');
  return { kind, receiver, body, requestId, span: typeof span === 'string' ? span : undefined };
}
