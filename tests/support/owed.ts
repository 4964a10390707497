import type { DueDelivery, Owed } from '../../src/domain/deliveries/delivery';
import type { ClaimRequest, OwedEvent } from '../../src/domain/deliveries/ports';
import type { OwedCompletion } from '../../src/domain/payments/order-payment';
import { readJsonText, type JsonObject } from '../../src/domain/shared/json';

/** A claim of whatever is due, by an instance that has nothing under way. */
export const claimOf = (limit = 100, leaseMs = 20_000): ClaimRequest => ({ limit, leaseMs, free: new Map() });

export const owedBody = '{"app_id":"app_abc123","client_id":"host_abc123def456","event_type":"t","payload":{"z":1.10,"a":"€"}}';

/** Names the span of the call that owed it. */
export const owingSpan = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** An event that a receiver is owed. */
export const anOwedEvent = (id = 'ev_1', more: Partial<OwedEvent> = {}): OwedEvent => ({
  id,
  integrationId: 'int_1',
  receiver: 'hostapp',
  lane: `${more.receiver ?? 'hostapp'}:of ${more.integrationId ?? 'int_1'}:event`,
  body: readJsonText(owedBody) as JsonObject,
  requestId: 'req-1',
  span: owingSpan,
  at: Date.UTC(2026, 0, 1),
  ...more,
});

/** A delivery as it is claimed for its first attempt. */
export const aDueDelivery = (owed: Owed): DueDelivery => ({
  id: 'dlv_1',
  integrationId: 'int_1',
  owed,
  owedSince: 0,
  tries: 0,
  lease: 'l',
  lane: 'miniapp:app_1:completion',
  reason: 'schedule',
});

/** A result that a miniapp is owed. */
export const anOwedCompletion = (id = 'pay_1', at = Date.UTC(2026, 0, 1)): OwedCompletion => ({
  id,
  integrationId: 'int_1',
  dueAt: at,
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
