import type { ChangeOrigin } from '../partners/partner-draft';
import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { DeliveryRecord } from './delivery';
import type { DeliveryRepository, SharedDeliveryNotifier } from './ports';

export interface ResendDeliveryCommand extends ChangeOrigin {
  readonly id: string;
}

/** Thrown when no delivery has the id. */
export class UnknownDelivery extends DomainError {
  constructor() {
    super('not-found', 'NOT_FOUND', catalogue.NOT_FOUND.meaning, { side: 'platform' });
  }
}

/** Queues a delivery again at an operator's request: with the same id and bytes, due at once. Throws UnknownDelivery. */
export class ResendDelivery {
  constructor(private readonly deps: { repository: DeliveryRepository; notifier: SharedDeliveryNotifier; clock: Clock }) {}

  async execute({ id, actor, requestId }: ResendDeliveryCommand): Promise<DeliveryRecord> {
    const at = this.deps.clock.now();
    const resent = await this.deps.repository.resend(id, ({ state, attemptCount }) => {
      const before = { state, attempt_count: attemptCount };
      return { actor, action: 'delivery.resent', subject: `delivery:${id}`, before, after: { state: 'ready' }, requestId, at };
    });
    if (!resent) throw new UnknownDelivery();
    this.deps.notifier.notifyAll();
    return resent;
  }
}
