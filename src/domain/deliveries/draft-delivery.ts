import { integrationById } from '../partners/integrations/integration-by-id';
import type { ChangeOrigin } from '../partners/partner-draft';
import type { PartnerDirectory } from '../partners/ports';
import { refusal } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { Receiver } from './delivery';
import type { DeliveryDraft, DeliveryDrafts, DeliveryPayloadReader } from './delivery-drafts';
import { UnknownDelivery } from './resend-delivery';

export interface DraftDeliveryCommand extends ChangeOrigin {
  readonly id: string;
}

/** The request that an attempt would send, and its receiver. */
export interface DraftedDelivery extends DeliveryDraft {
  readonly id: string;
  readonly receiver: Receiver;
}

interface Deps {
  readonly payloads: DeliveryPayloadReader;
  readonly drafts: DeliveryDrafts;
  readonly directory: PartnerDirectory;
  readonly clock: Clock;
  /** Timeout of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Set by the operator (DELIVERY_REQUESTS), because the draft holds the credentials for the partner. */
  readonly isAllowed: boolean;
}

/**
 * Shows the request that would deliver a delivery now, for a developer to send. Sends nothing and leaves the delivery unchanged. Throws
 * ACCESS_DENIED where it is off, UnknownDelivery, and whatever an attempt throws or is parked for.
 */
export class DraftDelivery {
  constructor(private readonly deps: Deps) {}

  async execute({ id, actor, requestId }: DraftDeliveryCommand): Promise<DraftedDelivery> {
    const { payloads, drafts, directory, clock, timeoutMs } = this.deps;
    if (!this.deps.isAllowed) {
      throw refusal('forbidden', 'ACCESS_DENIED', { side: 'platform' }, 'Requests of deliveries are not shown: DELIVERY_REQUESTS is off');
    }
    const at = clock.now();
    const opened = await payloads.open(id, () => ({ actor, action: 'delivery.request-shown', subject: `delivery:${id}`, requestId, at }));
    if (!opened) throw new UnknownDelivery();
    const { content, integrationId } = opened;
    const integration = await integrationById(directory, { integrationId, feature: content.kind === 'completion' ? 'payments' : 'events' });
    const draft = await drafts.draft({ integration, delivery: opened, at, deadline: at + timeoutMs });
    return { ...draft, id, receiver: content.kind === 'completion' ? 'miniapp' : content.receiver };
  }
}
