import type { ChangeOrigin } from '../partners/partner-draft';
import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { DeliveryRecord } from './delivery';
import type { DeliveryBook, SharedBell } from './ports';

export interface ResendDeliveryCommand extends ChangeOrigin {
  readonly id: string;
}

/** No delivery has the id. */
export class UnknownDelivery extends DomainError {
  constructor() {
    super('invalid', 'NOT_FOUND', catalogue.NOT_FOUND.meaning, { side: 'platform' });
  }
}

/** The operator wants a delivery to be made, or made again: the same id and bytes, due at once. Throws UnknownDelivery. */
export class ResendDelivery {
  constructor(private readonly deps: { book: DeliveryBook; bell: SharedBell; clock: Clock }) {}

  async execute({ id, actor, requestId }: ResendDeliveryCommand): Promise<DeliveryRecord> {
    const at = this.deps.clock.now();
    const resent = await this.deps.book.resend(id, ({ state, attemptCount }) => {
      const before = { state, attempt_count: attemptCount };
      return { actor, action: 'delivery.resent', subject: `delivery:${id}`, before, after: { state: 'ready' }, requestId, at };
    });
    if (!resent) throw new UnknownDelivery();
    this.deps.bell.ringAll();
    return resent;
  }
}
