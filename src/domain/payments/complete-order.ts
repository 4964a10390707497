import type { Relay, Trace } from '../exchanges/exchange';
import { spanOf } from '../exchanges/tracing';
import type { Integration } from '../partners/integrations/integration';
import { refusal } from '../shared/errors';
import type { JsonObject } from '../shared/json';
import type { Clock } from '../shared/ports';
import { statusOfWord, type Completion, type OrderPayment, type PaymentWord } from './order-payment';
import { settleAndDeliver, type SettleAndDeliverDeps } from './settle-and-deliver';

export interface CompleteOrderCommand {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly orderPaymentId: string;
  /** The host app's status word, known or not. */
  readonly status: string;
  readonly failReason?: string | undefined;
  readonly customAttributes?: JsonObject | undefined;
}

/**
 * Takes a host app's report of a payment's result (contract/payments#complete-order). When this resolves, the result and the completion
 * for the miniapp are committed, and its delivery has begun or is due. Throws INVALID_PAYMENT_STATUS for an unknown word and for a result
 * that contradicts the first one, and ORDER_NOT_FOUND.
 */
export class CompleteOrder {
  constructor(private readonly deps: SettleAndDeliverDeps & { readonly clock: Clock }) {}

  async execute({ relay, integration, orderPaymentId, status, failReason, customAttributes }: CompleteOrderCommand): Promise<void> {
    const report: Completion = {
      clientId: integration.hostApp.id,
      appId: integration.miniapp.id,
      orderPaymentId,
      word: requireWord(status),
      failReason,
      customAttributes,
      requestId: relay.requestId,
      span: spanOf(relay.origin),
      at: this.deps.clock.now(),
    };
    const key = { integrationId: integration.id, orderPaymentId };
    const { outcome, payment } = await settleAndDeliver(this.deps, key, report);
    traceTo(relay.trace, payment);
    if (outcome === 'refused') throw notPossible('not possible after the result that was reported before');
  }
}

function traceTo(trace: Trace, { id, userReference }: OrderPayment): void {
  trace.partOf(id);
  if (userReference !== undefined) trace.reference(userReference);
}

function requireWord(status: string): PaymentWord {
  if (Object.hasOwn(statusOfWord, status)) return status as PaymentWord;
  throw notPossible(`must be one of ${Object.keys(statusOfWord).join(', ')}`);
}

const notPossible = (rule: string) =>
  refusal('invalid', 'INVALID_PAYMENT_STATUS', { side: 'hostapp', fields: [{ path: 'payment_status', rule }] });
