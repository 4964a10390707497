import { EntitySchema } from 'typeorm';
import type { AttemptReason, DeliveryKind, DeliveryState, Owed, Receiver } from '../../../domain/deliveries/delivery';
import type { OwedEvent } from '../../../domain/deliveries/ports';
import { JsonObject, printJson, readJson } from '../../../domain/shared/json';
import { completionFrom } from './payment.schema';

/** A row of deliveries: pending until a partner receives it or it is given up. */
export interface DeliveryRow {
  id: string;
  /** Rises in the order in which deliveries of one key were owed. */
  seq: string;
  integration_id: string;
  kind: DeliveryKind;
  receiver: Receiver;
  /** Deliveries of one key leave in order; one without order has its id for key. */
  key: string;
  lane: string;
  /** The first of its key that is still owed. */
  head: boolean;
  body: Buffer;
  /** Parked ones are ready too. */
  state: 'ready' | 'delivered' | 'failed';
  parked_by: string | null;
  attempts: number;
  /** Attempts since it was made or resent. */
  tries: number;
  due_at: Date;
  lease: string | null;
  lease_until: Date | null;
  created_at: Date;
  resent_at: Date | null;
  ended_at: Date | null;
  /** The operator asked for the next attempt. */
  by_operator: boolean;
  /** When it is due again after that one. */
  resume_at: Date | null;
  /** When its last attempt that was not received ended. */
  attempted_at: Date | null;
  /** The batch of the operator's that its next attempt belongs to. */
  resend_id: string | null;
  /** What somebody said who gave it up; null: nobody did. */
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
    lane: { type: 'text', collation: 'C', default: '' },
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
    { name: 'deliveries_due', columns: ['lane', 'due_at', 'seq'], where: `state = 'ready' and head and parked_by is null` },
    { name: 'deliveries_asked', columns: ['due_at'], where: `state = 'ready' and by_operator and resend_id is null` },
    { name: 'deliveries_parked', columns: ['due_at'], where: `state = 'ready' and parked_by is not null` },
    { name: 'deliveries_parked_from', columns: ['created_at'], where: `state = 'ready' and parked_by is not null` },
    { name: 'deliveries_parked_of', columns: ['integration_id'], where: `state = 'ready' and parked_by is not null` },
    // `is not null` is always true; with it, due rows can be found by no other index than the one for them.
    { name: 'deliveries_owed_from', columns: ['created_at'], where: `state = 'ready' and parked_by is null and created_at is not null` },
    { name: 'deliveries_by_resend', columns: ['resend_id'], where: 'resend_id is not null' },
    { name: 'deliveries_ended', columns: ['state', 'ended_at'], where: `state <> 'ready'` },
    { name: 'deliveries_by_integration', columns: ['integration_id', 'created_at'] },
    { name: 'deliveries_by_seq', columns: ['seq'], unique: true },
    { name: 'deliveries_of_key', columns: ['key', 'seq'], where: `state = 'ready' and key is not null` },
    { name: 'deliveries_by_time', columns: ['created_at'] },
    { name: 'deliveries_events', columns: ['created_at'], where: `kind = 'event'` },
    { name: 'deliveries_failed', columns: ['created_at'], where: `state = 'failed'` },
  ],
});

/** A row of delivery_attempts. */
export interface AttemptRow {
  delivery_id: string;
  /** From 1 on. */
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

/** The state of the delivery `d` as it is shown: what waits for something to be switched on is parked. */
export const stateShown = `case when d.state = 'ready' and d.parked_by is not null then 'parked' else d.state end`;

/** The condition for each state that is shown, in the words of the indexes of such deliveries. */
export const isInState: Readonly<Record<DeliveryState, string>> = {
  ready: `d.state = 'ready' and d.parked_by is null and d.created_at is not null`,
  parked: `d.state = 'ready' and d.parked_by is not null`,
  delivered: `d.state = 'delivered'`,
  failed: `d.state = 'failed'`,
};

/** Where the body of a delivery is sealed. */
export const bodyPlace = (id: string): string => `deliveries.body:${id}`;

/** An event as it is sealed. */
export const eventText = ({ requestId, span, body }: OwedEvent): string => printJson(JsonObject.of({ request_id: requestId, span, body }));

/** Reads the sealed content of a delivery: `eventText`, or the report of a completion. Throws where it is something else. */
export function owedFrom({ kind, receiver }: Pick<DeliveryRow, 'kind' | 'receiver'>, bytes: Uint8Array): Owed {
  if (kind === 'completion') return { kind, completion: completionFrom(bytes) };
  const stored = readJson(bytes);
  const [body, requestId, span] = stored instanceof JsonObject ? [stored.get('body'), stored.get('request_id'), stored.get('span')] : [];
  if (!(body instanceof JsonObject) || typeof requestId !== 'string') throw new Error('A stored event lacks its body or request id');
  return { kind, receiver, body, requestId, span: typeof span === 'string' ? span : undefined };
}
