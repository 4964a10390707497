import type { ChangeOrigin } from '../partners/partner-draft';
import { DomainError } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { DeliveryRecord } from './delivery';
import type { DeliveryNotifier, DeliveryRepository } from './ports';
import { UnknownDelivery } from './resend-delivery';

export interface AbortDeliveryCommand extends ChangeOrigin {
  readonly id: string;
  readonly reason: string;
}

/** Thrown when the delivery has ended or an attempt is in flight. */
export class NotAbortable extends DomainError {
  constructor(message: string) {
    super('conflict', 'INVALID_INPUT', message, { side: 'platform' });
  }
}

/** Gives a delivery up for a reason: it has failed, but can be resent. Throws UnknownDelivery and NotAbortable. */
export class AbortDelivery {
  constructor(
    private readonly deps: { readonly repository: DeliveryRepository; readonly notifier: DeliveryNotifier; readonly clock: Clock },
  ) {}

  async execute({ id, reason, actor, requestId }: AbortDeliveryCommand): Promise<DeliveryRecord> {
    const at = this.deps.clock.now();
    const aborted = await this.deps.repository.abort(id, { reason }, ({ state, attemptCount }) => ({
      ...{ actor, action: 'delivery.aborted', subject: `delivery:${id}`, requestId, at },
      before: { state, attempt_count: attemptCount },
      after: { state: 'failed', reason },
    }));
    if (aborted === undefined) throw new UnknownDelivery();
    if (aborted === 'ended') throw new NotAbortable('Nothing is pending any more: it was delivered or given up');
    if (aborted === 'in-flight') throw new NotAbortable('An attempt is in flight: wait until it has ended');
    // The next event of the delivery's ordering key is due now.
    this.deps.notifier.notify(aborted.queue);
    return aborted;
  }
}
