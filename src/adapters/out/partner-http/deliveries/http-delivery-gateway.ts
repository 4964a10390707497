import { causeSpanOf, requestIdOf, type DueDelivery } from '../../../../domain/deliveries/delivery';
import type { DeliveryAnswer, DeliveryGateway, DeliverySending } from '../../../../domain/deliveries/ports';
import { untraced } from '../../../../domain/exchanges/exchange';
import type { SpanOrigin } from '../../../../domain/exchanges/tracing';
import { deliveryCallOf } from './delivery-calls';
import { readErrorBody } from '../partner-answer';
import type { PartnerHttpClient } from '../partner-http-client';
import { usableCode } from '../partner-refusal';
import { secondsOf } from '../retry-after';

/** Sends deliveries over HTTP. */
export class HttpDeliveryGateway implements DeliveryGateway {
  constructor(private readonly client: PartnerHttpClient) {}

  async deliver({ integration, delivery, at, deadline }: DeliverySending): Promise<DeliveryAnswer> {
    const relay = { requestId: requestIdOf(delivery.content), deadline, trace: untraced, origin: originOf(delivery) };
    const call = deliveryCallOf(delivery.content);
    const { status, body, retryAfter } = await this.client.deliver(call, { relay, integration, input: { delivery, at } });
    return { status, errorCode: await errorCodeIn(body), retryAfterS: secondsOf(retryAfter, at) };
  }
}

const originOf = ({ id, tries, content }: DueDelivery): SpanOrigin => ({
  delivery: { id, attempt: tries + 1, causedBy: causeSpanOf(content) },
});

/** The error code of a refusal; `undefined` for any other body. */
async function errorCodeIn(body: Uint8Array): Promise<string | undefined> {
  const code = (await readErrorBody(body))?.get('error_code');
  return typeof code === 'string' && usableCode.test(code) ? code : undefined;
}
