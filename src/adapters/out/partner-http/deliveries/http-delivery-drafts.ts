import { requestIdOf } from '../../../../domain/deliveries/delivery';
import type { DeliveryDraft, DeliveryDrafts } from '../../../../domain/deliveries/delivery-drafts';
import { untraced } from '../../../../domain/exchanges/exchange';
import { deliveryCallOf } from './delivery-calls';
import type { PartnerHttpClient } from '../partner-http-client';

/** Builds the requests of delivery attempts with the same client that sends them. */
export class HttpDeliveryDrafts implements DeliveryDrafts {
  constructor(private readonly client: PartnerHttpClient) {}

  draft({ integration, delivery, at, deadline }: Parameters<DeliveryDrafts['draft']>[0]): Promise<DeliveryDraft> {
    const relay = { requestId: requestIdOf(delivery.content), deadline, trace: untraced };
    return this.client.draft(deliveryCallOf(delivery.content), { relay, integration, input: { delivery, at } });
  }
}
