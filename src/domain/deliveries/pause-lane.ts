import type { ChangeOrigin } from '../partners/partner-draft';
import type { Clock } from '../shared/ports';
import type { LaneRecord } from './lane';
import type { LaneBook, SharedBell } from './ports';
import { UnknownLane } from './release-lane';

export interface PauseLaneCommand extends ChangeOrigin {
  readonly lane: string;
  readonly reason: string;
}

const about = (what: 'paused' | 'resumed', { lane, actor, requestId }: ChangeOrigin & { readonly lane: string }) =>
  ({ actor, action: `delivery-lane.${what}`, subject: `delivery-lane:${lane}`, requestId }) as const;

/** Nothing goes to an endpoint for a while, as somebody wants it so: deliveries wait, and show why. */
export class PauseLane {
  constructor(private readonly deps: { readonly book: LaneBook; readonly clock: Clock }) {}

  execute(command: PauseLaneCommand): Promise<LaneRecord> {
    const { lane, reason, actor: by } = command;
    const at = this.deps.clock.now();
    return this.deps.book.pause(lane, { by, reason }, ({ state, waiting }) => {
      return { ...about('paused', command), before: { state, waiting }, after: { state: 'paused', reason }, at };
    });
  }
}

/** What waited in a paused lane is attempted, as after an outage of its endpoint. Throws UnknownLane where it is not paused. */
export class ResumeLane {
  constructor(private readonly deps: { readonly book: LaneBook; readonly bell: SharedBell; readonly clock: Clock }) {}

  async execute(command: ChangeOrigin & { readonly lane: string }): Promise<LaneRecord> {
    const resumed = await this.deps.book.resume(command.lane, ({ state, waiting, paused }) => {
      const before = { state, waiting, reason: paused?.reason };
      return { ...about('resumed', command), before, after: { state: 'half-open' }, at: this.deps.clock.now() };
    });
    if (!resumed) throw new UnknownLane();
    this.deps.bell.ringAll();
    return resumed;
  }
}
