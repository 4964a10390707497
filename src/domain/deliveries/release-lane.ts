import type { ChangeOrigin } from '../partners/partner-draft';
import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { LaneRecord } from './lane';
import type { LaneBook, SharedBell } from './ports';

export interface ReleaseLaneCommand extends ChangeOrigin {
  readonly lane: string;
}

/** No lane of this name is in trouble. */
export class UnknownLane extends DomainError {
  constructor() {
    super('invalid', 'NOT_FOUND', catalogue.NOT_FOUND.meaning, { side: 'platform' });
  }
}

/** The operator knows that an endpoint is back: what waits for it is attempted, as after a probe that was received. Throws UnknownLane. */
export class ReleaseLane {
  constructor(private readonly deps: { book: LaneBook; bell: SharedBell; clock: Clock }) {}

  async execute({ lane, actor, requestId }: ReleaseLaneCommand): Promise<LaneRecord> {
    const released = await this.deps.book.release(lane, ({ state, failures }) => ({
      ...{ actor, action: 'delivery-lane.released', subject: `delivery-lane:${lane}`, requestId, at: this.deps.clock.now() },
      before: { state, failures },
      after: { state: 'half-open' },
    }));
    if (!released) throw new UnknownLane();
    this.deps.bell.ringAll();
    return released;
  }
}
