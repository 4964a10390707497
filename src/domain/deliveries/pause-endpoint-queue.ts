import type { ChangeOrigin } from '../partners/partner-draft';
import type { Clock } from '../shared/ports';
import type { EndpointQueueRecord } from './endpoint-queue';
import type { EndpointQueueRepository, SharedDeliveryNotifier } from './ports';
import { UnknownEndpointQueue } from './release-endpoint-queue';

export interface PauseEndpointQueueCommand extends ChangeOrigin {
  readonly queue: string;
  readonly reason: string;
}

const about = (what: 'paused' | 'resumed', { queue, actor, requestId }: ChangeOrigin & { readonly queue: string }) =>
  ({ actor, action: `endpoint-queue.${what}`, subject: `endpoint-queue:${queue}`, requestId }) as const;

/** Pauses the deliveries to one endpoint. They wait, and the queue shows the reason. */
export class PauseEndpointQueue {
  constructor(private readonly deps: { readonly repository: EndpointQueueRepository; readonly clock: Clock }) {}

  execute(command: PauseEndpointQueueCommand): Promise<EndpointQueueRecord> {
    const { queue, reason, actor: by } = command;
    const at = this.deps.clock.now();
    return this.deps.repository.pause(queue, { by, reason }, ({ state, waiting }) => {
      return { ...about('paused', command), before: { state, waiting }, after: { state: 'paused', reason }, at };
    });
  }
}

/**
 * Resumes a paused queue: its deliveries are attempted as after an outage of the endpoint. Throws UnknownEndpointQueue where it is not
 * paused.
 */
export class ResumeEndpointQueue {
  constructor(
    private readonly deps: {
      readonly repository: EndpointQueueRepository;
      readonly notifier: SharedDeliveryNotifier;
      readonly clock: Clock;
    },
  ) {}

  async execute(command: ChangeOrigin & { readonly queue: string }): Promise<EndpointQueueRecord> {
    const resumed = await this.deps.repository.resume(command.queue, ({ state, waiting, paused }) => {
      const before = { state, waiting, reason: paused?.reason };
      return { ...about('resumed', command), before, after: { state: 'half-open' }, at: this.deps.clock.now() };
    });
    if (!resumed) throw new UnknownEndpointQueue();
    this.deps.notifier.notifyAll();
    return resumed;
  }
}
