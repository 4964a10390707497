import type { ChangeOrigin } from '../partners/partner-draft';
import { DomainError } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { DeliveryRecord } from './delivery';
import type { DeliveryBell, DeliveryBook } from './ports';
import { UnknownDelivery } from './resend-delivery';

export interface AbortDeliveryCommand extends ChangeOrigin {
  readonly id: string;
  readonly reason: string;
}

/** The delivery cannot be given up as it stands. */
export class NotAbortable extends DomainError {
  constructor(message: string) {
    super('conflict', 'INVALID_INPUT', message, { side: 'platform' });
  }
}

/** Somebody gives a delivery up for a reason: a dead letter, which can be sent again. Throws UnknownDelivery and NotAbortable. */
export class AbortDelivery {
  constructor(private readonly deps: { readonly book: DeliveryBook; readonly bell: DeliveryBell; readonly clock: Clock }) {}

  async execute({ id, reason, actor, requestId }: AbortDeliveryCommand): Promise<DeliveryRecord> {
    const at = this.deps.clock.now();
    const aborted = await this.deps.book.abort(id, { reason }, ({ state, attemptCount }) => ({
      ...{ actor, action: 'delivery.aborted', subject: `delivery:${id}`, requestId, at },
      before: { state, attempt_count: attemptCount },
      after: { state: 'failed', reason },
    }));
    if (aborted === undefined) throw new UnknownDelivery();
    if (aborted === 'ended') throw new NotAbortable('Nothing is owed any more: it was delivered or given up');
    if (aborted === 'under-way') throw new NotAbortable('An attempt is under way: look at how it ends first');
    // What waited behind an event is due now.
    this.deps.bell.ring(aborted.lane);
    return aborted;
  }
}
