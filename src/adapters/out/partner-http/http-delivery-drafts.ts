import { requestIdOf } from '../../../domain/deliveries/delivery';
import type { DeliveryDraft, DeliveryDrafts } from '../../../domain/deliveries/delivery-drafts';
import { untraced } from '../../../domain/exchanges/exchange';
import { deliveryCallOf } from './delivery-calls';
import type { PartnerHttpClient } from './partner-http-client';

/** Attempts at deliveries over HTTP, drafted by the door that sends them. */
export class HttpDeliveryDrafts implements DeliveryDrafts {
  constructor(private readonly client: PartnerHttpClient) {}

  draft({ integration, delivery, at, deadline }: Parameters<DeliveryDrafts['draft']>[0]): Promise<DeliveryDraft> {
    const relay = { requestId: requestIdOf(delivery.owed), deadline, trace: untraced };
    return this.client.draft(deliveryCallOf(delivery.owed), { relay, integration, input: { delivery, at } });
  }
}
