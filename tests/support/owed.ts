import type { DueDelivery, Owed } from '../../src/domain/deliveries/delivery';
import { laneRules } from '../../src/domain/deliveries/lane';
import type { EventOutbox, OwedEvent } from '../../src/domain/deliveries/ports';
import type { ClaimRequest, LaneRoom, Room } from '../../src/domain/deliveries/claim-room';
import type { OwedCompletion } from '../../src/domain/payments/order-payment';
import { readJsonText, type JsonObject } from '../../src/domain/shared/json';

/** What an instance may begin that has so much under way; absent: nothing. Of the endpoints nothing is known, and there is room for all. */
export const roomOf = (known: Readonly<Record<string, Partial<LaneRoom>>> = {}, unproven = Infinity): Room => ({
  of: (lane) => ({ places: laneRules.places, window: laneRules.places, isProven: false, isUnknown: true, ...known[lane] }),
  busy: Object.keys(known),
  unproven,
});

/** A claim of whatever is due, by an instance that has nothing under way. */
export const claimOf = (limit = 100, leaseMs = 20_000): ClaimRequest => ({ limit, leaseMs, room: roomOf() });

export const owedBody = '{"app_id":"app_abc123","client_id":"host_abc123def456","event_type":"t","payload":{"z":1.10,"a":"€"}}';

/** Names the span of the call that owed it. */
export const owingSpan = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** An event that was owed at another time than now: in milliseconds since the epoch, set by `datedOutbox`. */
export interface DatedEvent extends OwedEvent {
  readonly at?: number;
}

/** An outbox where tests set the time of an event. */
export const datedOutbox = (outbox: EventOutbox, setTime: (id: string, at: number) => Promise<void>): EventOutbox => ({
  owe: async (event: DatedEvent) => {
    await outbox.owe(event);
    if (event.at !== undefined) await setTime(event.id, event.at);
  },
});

/** Sets when a delivery in Postgres was owed. */
export const setOwedAt =
  (db: { query(text: string, values: unknown[]): Promise<unknown> }) =>
  async (id: string, at: number): Promise<void> => {
    await db.query('update deliveries set created_at = $2, due_at = $2 where id = $1', [id, new Date(at)]);
  };

/** An event that a receiver is owed. */
export const anOwedEvent = (id = 'ev_1', more: Partial<DatedEvent> = {}): DatedEvent => ({
  id,
  integrationId: 'int_1',
  receiver: 'hostapp',
  lane: `${more.receiver ?? 'hostapp'}:of ${more.integrationId ?? 'int_1'}:event`,
  body: readJsonText(owedBody) as JsonObject,
  requestId: 'req-1',
  span: owingSpan,
  ...more,
});

/** A delivery as it is claimed for its first attempt. */
export const aDueDelivery = (owed: Owed): DueDelivery => ({
  id: 'dlv_1',
  integrationId: 'int_1',
  owed,
  ageMs: 0,
  tries: 0,
  lease: 'l',
  lane: 'miniapp:app_1:completion',
  reason: 'schedule',
});

/** A result that a miniapp is owed. */
export const anOwedCompletion = (id = 'pay_1', at = Date.UTC(2026, 0, 1)): OwedCompletion => ({
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
    span: owingSpan,
    at,
  },
});
