import type { ChangeOrigin } from '../partners/partner-draft';
import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { EndpointQueueRecord } from './endpoint-queue';
import type { EndpointQueueRepository, SharedDeliveryNotifier } from './ports';

export interface ReleaseEndpointQueueCommand extends ChangeOrigin {
  readonly queue: string;
}

/** Thrown when no failing queue has this name. */
export class UnknownEndpointQueue extends DomainError {
  constructor() {
    super('not-found', 'NOT_FOUND', catalogue.NOT_FOUND.meaning, { side: 'platform' });
  }
}

/** Releases a queue whose endpoint works again: its deliveries are attempted, as after a received probe. Throws UnknownEndpointQueue. */
export class ReleaseEndpointQueue {
  constructor(private readonly deps: { repository: EndpointQueueRepository; notifier: SharedDeliveryNotifier; clock: Clock }) {}

  async execute({ queue, actor, requestId }: ReleaseEndpointQueueCommand): Promise<EndpointQueueRecord> {
    const released = await this.deps.repository.release(queue, ({ state, failures }) => ({
      ...{ actor, action: 'endpoint-queue.released', subject: `endpoint-queue:${queue}`, requestId, at: this.deps.clock.now() },
      before: { state, failures },
      after: { state: 'half-open' },
    }));
    if (!released) throw new UnknownEndpointQueue();
    this.deps.notifier.notifyAll();
    return released;
  }
}
