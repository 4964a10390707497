import type { SharedDeliveryNotifier } from '../deliveries/ports';
import type { ChangeOrigin } from '../partners/partner-draft';
import { UnknownIntegration } from '../partners/registry-errors';
import { InvalidInput } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { Moved, ShiftedPair, TimeShiftRepository } from './ports';

export interface AdvanceTimeCommand extends ChangeOrigin, ShiftedPair {
  /** Rounded to milliseconds. */
  readonly seconds: number;
}

/** Maximum step, in seconds: 30 days. */
export const longestAdvanceS = 2_592_000;

/**
 * Moves the schedule of one integration forward, so that days pass in seconds. For development only; other hosts of the domain omit it.
 * Throws InvalidInput, UnknownIntegration.
 */
export class AdvanceTime {
  constructor(private readonly deps: { timeShift: TimeShiftRepository; notifier: SharedDeliveryNotifier; clock: Clock }) {}

  async execute({ clientId, appId, seconds, actor, requestId }: AdvanceTimeCommand): Promise<Moved> {
    const ms = Math.round(seconds * 1000);
    if (!(ms >= 1 && seconds <= longestAdvanceS)) {
      throw new InvalidInput([{ path: 'seconds', rule: `must be a number from 0.001 to ${String(longestAdvanceS)}` }]);
    }
    const at = this.deps.clock.now();
    const subject = `integration:${clientId}/${appId}`;
    const moved = await this.deps.timeShift.advance({ clientId, appId, ms }, (after) => {
      return { actor, action: 'sandbox.time-advanced', subject, after: { seconds: ms / 1000, ...after }, requestId, at };
    });
    if (!moved) throw new UnknownIntegration();
    this.deps.notifier.notifyAll();
    return moved;
  }
}
