import { errorFields } from '../shared/fault';
import type { Log } from '../shared/ports';
import type { DeliveryQueue, ParkedOf, SharedDeliveryNotifier } from './ports';

const wokenAtOnce = 1000;

interface Deps {
  readonly queue: Pick<DeliveryQueue, 'wake'>;
  readonly notifier: SharedDeliveryNotifier;
  readonly log: Log;
}

/**
 * Makes parked deliveries of a partner or an integration due after a change to it; those still switched off are parked again when they are
 * attempted. Never fails: a delivery that is not woken here is checked again within the hour.
 */
export class WakeParked {
  constructor(private readonly deps: Deps) {}

  async execute(of: ParkedOf): Promise<void> {
    const { queue, notifier, log } = this.deps;
    try {
      let woken: number;
      // Terminates: deliveries that are still switched off are parked again, but never as many as one batch between two calls of `wake`.
      do {
        woken = await queue.wake(of, wokenAtOnce);
        if (woken > 0) notifier.notifyAll();
      } while (woken === wokenAtOnce);
    } catch (error) {
      log.warn('delivery.wake-failed', { ...errorFields(error) });
    }
  }
}
