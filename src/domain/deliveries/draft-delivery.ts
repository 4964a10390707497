import { integrationById } from '../partners/integration-by-id';
import type { ChangeOrigin } from '../partners/partner-draft';
import type { PartnerDirectory } from '../partners/ports';
import { refusal } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { Receiver } from './delivery';
import type { DeliveryDraft, DeliveryDrafts, OwedVault } from './delivery-drafts';
import { UnknownDelivery } from './resend-delivery';

export interface DraftDeliveryCommand extends ChangeOrigin {
  readonly id: string;
}

/** The request that would be sent, and its receiver. */
export interface DraftedDelivery extends DeliveryDraft {
  readonly id: string;
  readonly receiver: Receiver;
}

interface Deps {
  readonly vault: OwedVault;
  readonly drafts: DeliveryDrafts;
  readonly directory: PartnerDirectory;
  readonly clock: Clock;
  /** Milliseconds that one attempt may take. */
  readonly timeoutMs: number;
  /** The operator has it on: the draft holds the credentials toward the partner. */
  readonly isAllowed: boolean;
}

/**
 * The request that would deliver it now, for a developer's machine. Nothing is sent, and the delivery stays as it is. Throws
 * ACCESS_DENIED where it is off, UnknownDelivery, and what an attempt throws or is parked for.
 */
export class DraftDelivery {
  constructor(private readonly deps: Deps) {}

  async execute({ id, actor, requestId }: DraftDeliveryCommand): Promise<DraftedDelivery> {
    const { vault, drafts, directory, clock, timeoutMs } = this.deps;
    if (!this.deps.isAllowed) {
      throw refusal('forbidden', 'ACCESS_DENIED', { side: 'platform' }, 'Requests of deliveries are not shown: DELIVERY_REQUESTS is off');
    }
    const at = clock.now();
    const opened = await vault.open(id, () => ({ actor, action: 'delivery.request-shown', subject: `delivery:${id}`, requestId, at }));
    if (!opened) throw new UnknownDelivery();
    const { owed, integrationId } = opened;
    const integration = await integrationById(directory, { integrationId, feature: owed.kind === 'completion' ? 'payments' : 'events' });
    const draft = await drafts.draft({ integration, delivery: opened, at, deadline: at + timeoutMs });
    return { ...draft, id, receiver: owed.kind === 'completion' ? 'miniapp' : owed.receiver };
  }
}
