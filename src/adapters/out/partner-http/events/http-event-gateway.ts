import type { EventGateway, EventSending } from '../../../../domain/events/ports';
import type { Json } from '../../../../domain/shared/json';
import { eventCalls } from './event-calls';
import type { PartnerHttpClient } from '../partner-http-client';

/** Sends events over HTTP. */
export class HttpEventGateway implements EventGateway {
  constructor(private readonly client: PartnerHttpClient) {}

  relay({ relay, integration, receiver, body }: EventSending): Promise<Json | undefined> {
    return this.client.relay(eventCalls[receiver], { relay, integration, input: body });
  }
}
