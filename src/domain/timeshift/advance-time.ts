import type { SharedBell } from '../deliveries/ports';
import type { ChangeOrigin } from '../partners/partner-draft';
import { UnknownAgreement } from '../partners/registry-errors';
import { InvalidInput } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { Moved, ShiftedPair, TimeShift } from './ports';

export interface AdvanceTimeCommand extends ChangeOrigin, ShiftedPair {
  /** To the millisecond. */
  readonly seconds: number;
}

/** The longest step, in seconds: 30 days. */
export const longestAdvanceS = 2_592_000;

/**
 * Lets time pass for what waits for one integration, so that a schedule of days can be seen in seconds. For development alone:
 * whoever hosts the domain elsewhere leaves it out. Throws InvalidInput, UnknownAgreement.
 */
export class AdvanceTime {
  constructor(private readonly deps: { timeShift: TimeShift; bell: SharedBell; clock: Clock }) {}

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
    if (!moved) throw new UnknownAgreement();
    this.deps.bell.ringAll();
    return moved;
  }
}
