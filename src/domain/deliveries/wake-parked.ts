import { factsOfFault } from '../shared/fault';
import type { Log } from '../shared/ports';
import type { DeliveryQueue, ParkedOf, SharedBell } from './ports';

const wokenAtOnce = 1000;

interface Deps {
  readonly queue: Pick<DeliveryQueue, 'wake'>;
  readonly bell: SharedBell;
  readonly log: Log;
}

/**
 * Something of a partner or an integration has changed: parked deliveries are due, and are parked again where it is still
 * switched off. Never fails: deliveries that are not woken are checked again within the hour.
 */
export class WakeParked {
  constructor(private readonly deps: Deps) {}

  async execute(of: ParkedOf): Promise<void> {
    const { queue, bell, log } = this.deps;
    try {
      let woken: number;
      // Deliveries that are still switched off are parked again meanwhile, but not a whole step of it.
      do {
        woken = await queue.wake(of, wokenAtOnce);
        if (woken > 0) bell.ringAll();
      } while (woken === wokenAtOnce);
    } catch (error) {
      log.warn('delivery.wake-failed', { ...factsOfFault(error) });
    }
  }
}
