import { laneRules, type LanePause } from '../../../domain/deliveries/lane';
import type { Circuit } from '../../../domain/deliveries/circuit';
import type { FailedEndpoint, LaneNews } from '../../../domain/deliveries/ports';

/** An endpoint in trouble, or one that is back and for which something waits. */
export interface Trouble {
  readonly lane: string;
  /** In a row. */
  failures: number;
  closed: boolean;
  /** Milliseconds since the epoch, as are the next two. */
  since: number;
  releasedAt: number | undefined;
  lookAt: number;
  /** Somebody wants nothing to be attempted there. */
  paused?: LanePause | undefined;
}

/** The lanes whose endpoints are in trouble, in memory. */
export class MemoryLanes {
  private readonly lanes = new Map<string, Trouble>();

  find(lane: string): Readonly<Trouble> | undefined {
    return this.lanes.get(lane);
  }

  all(): readonly Readonly<Trouble>[] {
    return [...this.lanes.values()];
  }

  circuit(lane: string): Circuit {
    const { closed = false, releasedAt } = this.lanes.get(lane) ?? {};
    if (!closed) return 'closed';
    return releasedAt === undefined ? 'open' : 'half-open';
  }

  pause(name: string, pause: LanePause): void {
    const { failures = 0, since = pause.at, lookAt = pause.at, paused } = this.lanes.get(name) ?? {};
    const at = paused?.at ?? pause.at;
    this.lanes.set(name, { lane: name, failures, closed: true, since, releasedAt: undefined, lookAt, paused: { ...pause, at } });
  }

  resume(name: string, now: number): void {
    const lane = this.lanes.get(name);
    if (lane) Object.assign(lane, { paused: undefined, failures: 0, releasedAt: now, lookAt: now });
  }

  fail(lane: string, { quietMs, opensAfter }: FailedEndpoint, now: number): void {
    const lookAt = now + quietMs;
    const { failures = 0, closed = false, since = now, releasedAt, lookAt: before = lookAt, paused } = this.lanes.get(lane) ?? {};
    const isOut = failures + 1 >= opensAfter;
    this.lanes.set(lane, {
      lane,
      failures: failures + 1,
      closed: closed || isOut,
      since: isOut && releasedAt !== undefined ? now : since,
      releasedAt: isOut ? undefined : releasedAt,
      lookAt: releasedAt !== undefined && !isOut ? before : lookAt,
      paused,
    });
  }

  /** The endpoint has received something. */
  note(name: string, news: LaneNews, now: number): void {
    const lane = this.lanes.get(name);
    if (!lane || lane.paused) return;
    lane.failures = 0;
    if (news === 'keeps-up' && lane.releasedAt !== undefined) lane.closed = false;
    if (news === 'recovers' && lane.releasedAt === undefined) lane.closed = true;
    if (lane.closed && lane.releasedAt === undefined) Object.assign(lane, { releasedAt: now, lookAt: now });
  }

  /** Nothing was learned of the endpoint: it is claimed from at once. */
  lookAgain(name: string, now: number): void {
    const lane = this.lanes.get(name);
    if (lane?.closed && lane.releasedAt === undefined) lane.lookAt = now;
  }

  /** Its troubles began `ms` milliseconds earlier, with all that follows from them. */
  bringNearer(name: string, ms: number): void {
    const lane = this.lanes.get(name);
    if (!lane) return;
    const releasedAt = lane.releasedAt === undefined ? undefined : lane.releasedAt - ms;
    this.lanes.set(name, { ...lane, since: lane.since - ms, lookAt: lane.lookAt - ms, releasedAt });
  }

  forget(lane: string): void {
    this.lanes.delete(lane);
  }

  /** The lanes that it is time to look into; the next look comes after a while. */
  lookInto(now: number): readonly Readonly<Trouble>[] {
    const due = [...this.lanes.values()].filter(({ lookAt, paused }) => !paused && lookAt <= now);
    for (const lane of due) lane.lookAt = now + (lane.releasedAt === undefined ? laneRules.probeAfterMs : laneRules.settledAfterMs);
    return due;
  }
}
