import type { DueDelivery, DeliveryContent } from '../../src/domain/deliveries/delivery';
import { endpointQueueRules } from '../../src/domain/deliveries/endpoint-queue';
import type { EventOutboxStore, OutboxEvent } from '../../src/domain/deliveries/ports';
import type { ClaimRequest, QueueCapacity, ClaimCapacity } from '../../src/domain/deliveries/claim-capacity';
import type { PendingCompletion } from '../../src/domain/payments/order-payment';
import type { JsonObject } from '../../src/domain/shared/json';
import { readJsonText } from '../../src/domain/shared/read-json';

/** What an instance may begin that has so much in flight; absent: nothing. Of the endpoints nothing is known, and there is room for all. */
export const capacityOf = (known: Readonly<Record<string, Partial<QueueCapacity>>> = {}, unproven = Infinity): ClaimCapacity => ({
  of: (queue) => ({
    slots: endpointQueueRules.slots,
    window: endpointQueueRules.slots,
    isProven: false,
    isUnknown: true,
    ...known[queue],
  }),
  busy: Object.keys(known),
  unproven,
});

/** A claim of whatever is due, by an instance that has nothing in flight. */
export const claimOf = (limit = 100, leaseMs = 20_000): ClaimRequest => ({ limit, leaseMs, capacity: capacityOf() });

export const eventBody = '{"app_id":"app_abc123","client_id":"host_abc123def456","event_type":"t","payload":{"z":1.10,"a":"€"}}';

/** Names the span of the call that caused it. */
export const causeSpan = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** An event that was queued at another time than now: in milliseconds since the epoch, set by `datedOutbox`. */
export interface DatedEvent extends OutboxEvent {
  readonly at?: number;
}

/** An outbox where tests set the time of an event. */
export const datedOutbox = (outbox: EventOutboxStore, setTime: (id: string, at: number) => Promise<void>): EventOutboxStore => ({
  add: async (event: DatedEvent) => {
    await outbox.add(event);
    if (event.at !== undefined) await setTime(event.id, event.at);
  },
});

/** Sets when a delivery in Postgres was queued. */
export const setPendingSince =
  (db: { query(text: string, values: unknown[]): Promise<unknown> }) =>
  async (id: string, at: number): Promise<void> => {
    await db.query('update deliveries set created_at = $2, due_at = $2 where id = $1', [id, new Date(at)]);
  };

/** An event that a receiver is pending. */
export const anOutboxEvent = (id = 'ev_1', more: Partial<DatedEvent> = {}): DatedEvent => ({
  id,
  integrationId: 'int_1',
  receiver: 'hostapp',
  queue: `${more.receiver ?? 'hostapp'}:of ${more.integrationId ?? 'int_1'}:event`,
  body: readJsonText(eventBody) as JsonObject,
  requestId: 'req-1',
  span: causeSpan,
  ...more,
});

/** A delivery as it is claimed for its first attempt. */
export const aDueDelivery = (content: DeliveryContent): DueDelivery => ({
  id: 'dlv_1',
  integrationId: 'int_1',
  content,
  ageMs: 0,
  tries: 0,
  lease: 'l',
  queue: 'miniapp:app_1:completion',
  reason: 'schedule',
});

/** A result that a miniapp is pending. */
export const aPendingCompletion = (id = 'pay_1', at = Date.UTC(2026, 0, 1)): PendingCompletion => ({
  id,
  integrationId: 'int_1',
  completion: {
    clientId: 'host_abc123def456',
    appId: 'app_abc123',
    orderPaymentId: `op of ${id}`,
    word: 'paid',
    failReason: undefined,
    customAttributes: readJsonText('{"z":1.10,"a":12345678901234567.10}'),
    requestId: 'req-1',
    span: causeSpan,
    at,
  },
});
