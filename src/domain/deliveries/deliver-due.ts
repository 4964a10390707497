import type { Integration } from '../partners/integration';
import { integrationById } from '../partners/integration-by-id';
import type { PartnerDirectory } from '../partners/ports';
import { DomainError } from '../shared/errors';
import { factsOfFault } from '../shared/fault';
import type { Clock, Log } from '../shared/ports';
import type { Attempt, AttemptReason, DueDelivery } from './delivery';
import { isTrouble, laneRules, nextProbeInMs } from './lane';
import { LanePlaces, type Place } from './lane-places';
import type { Chance, DeliveryAnswer, DeliveryBell, DeliveryGateway, DeliveryQueue, FailedEndpoint, ReservedAttempt } from './ports';
import { longestWaitMs, nextAttemptInMs, owedForMs, parkedForMs } from './schedule';

export interface DeliverDueCommand {
  /** Attempts that may be begun. */
  readonly limit: number;
  /** Only in these lanes; absent: in all. */
  readonly lanes?: readonly string[];
}

/** An attempt under way. */
export interface AttemptUnderWay {
  readonly lane: string;
  readonly reason: AttemptReason;
  /**
   * Its place is free: nothing is under way at the endpoint any more, though its end may still be on its way to the database. Resolves
   * to whether there may be more to do in its lane than the last claim began. Never rejects.
   */
  readonly free: Promise<boolean>;
  /** Never rejects. */
  readonly done: Promise<void>;
}

/** A slot that is reserved, and the attempt that it may become. */
export type ReservedUnderWay = ReservedAttempt & Pick<AttemptUnderWay, 'lane' | 'free' | 'done'>;

interface Deps {
  readonly queue: DeliveryQueue;
  readonly directory: PartnerDirectory;
  readonly gateway: DeliveryGateway;
  readonly bell: DeliveryBell;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Resolves after so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Log;
  /** Milliseconds that one attempt may take. */
  readonly timeoutMs: number;
}

/** A claim outlives its attempt by this much, in milliseconds, so that a live attempt keeps it while its end is written. */
const leaseMarginMs = 5000;
/** Between two looks at what waited too long, in milliseconds. */
const overdueEveryMs = 60_000;
/** Between two looks at whether something is due, in milliseconds: another instance may have died under what it held. */
const restMs = { waiting: 1000, idle: 5000 } as const;

/** How one attempt went; with `retryAfterS`, what the receiver asked for. */
interface Tried {
  readonly attempt: Attempt;
  readonly received: boolean;
  readonly retryAfterS?: number | undefined;
}

/** Delivers due deliveries: each delivery is attempted until it is received, or its seven days are over (contract/deliveries#schedule). */
export class DeliverDue {
  private readonly places: LanePlaces;
  private overdueAt = -Infinity;

  constructor(private readonly deps: Deps) {
    this.places = new LanePlaces(deps.clock);
  }

  /** Claims due deliveries and begins an attempt of each. */
  async execute({ limit, lanes }: DeliverDueCommand): Promise<readonly AttemptUnderWay[]> {
    const { queue, clock, timeoutMs } = this.deps;
    const leaseMs = timeoutMs + leaseMarginMs;
    if (!lanes) await this.giveUpOverdue(clock.now());
    return this.places.looking(lanes, async (room) => {
      const claimed = await queue.claimDue({ limit, leaseMs, room, ...(lanes && { lanes }) });
      const begun = claimed.map((delivery) => this.attemptOf(delivery));
      this.places.noteFull({ lanes, room, claimed: claimed.map(({ lane }) => lane), limit });
      return begun;
    });
  }

  private attemptOf(delivery: DueDelivery): AttemptUnderWay {
    const { lane, reason } = delivery;
    const place = this.places.enter(lane, delivery);
    return { lane, reason, free: place.free, done: this.handle(delivery, place) };
  }

  /** Reserves a slot for a delivery that is about to be stored; `undefined`: the lane has none free, or a claim may take them. */
  reserve(lane: string): ReservedUnderWay | undefined {
    if (!this.places.canBeReserved(lane)) return undefined;
    const place = this.places.enter(lane);
    let end: ((over?: Promise<void>) => void) | undefined;
    const done = new Promise<void>((resolve) => (end = resolve));
    return {
      lane,
      leaseMs: this.deps.timeoutMs + leaseMarginMs,
      free: place.free,
      done,
      begin: (delivery) => {
        end?.(this.handle(delivery, place));
        end = undefined;
      },
      release: () => {
        if (!end) return;
        place.leave();
        end();
        end = undefined;
      },
    };
  }

  /** Milliseconds until it is worth while to claim again, 0 where it is now; a new delivery rings. */
  async restMs(): Promise<number> {
    const { waits, inMs = Infinity } = await this.deps.queue.nextDue(this.places.withoutPlace());
    return Math.max(0, Math.min(inMs, waits ? restMs.waiting : restMs.idle));
  }

  /** What waits for an open circuit is not attempted each time that it is due, so nobody else would see that its time is over. */
  private async giveUpOverdue(now: number): Promise<void> {
    if (now - this.overdueAt < overdueEveryMs) return;
    this.overdueAt = now;
    const count = await this.deps.queue.giveUpOverdue({ owedForMs: owedForMs + longestWaitMs, overdueByMs: longestWaitMs });
    if (count > 0) this.deps.log.warn('delivery.given-up', { count, cause: 'circuit-open' });
  }

  /** Where the database is away the delivery stays claimed: it is owed again when the claim has run out. */
  private async handle(delivery: DueDelivery, place: Place): Promise<void> {
    const begunAt = this.deps.clock.now();
    try {
      const held = await this.attempt(delivery, place);
      if (!held) this.deps.log.warn('delivery.claim-lost', { delivery_id: delivery.id });
    } catch (error) {
      this.tellFault(delivery, error);
    }
    if (isPaced(delivery)) await this.deps.pause(Math.max(0, begunAt + laneRules.heldForMs - this.deps.clock.now()));
    place.leave();
  }

  private tellFault({ id }: DueDelivery, error: unknown): void {
    this.deps.log.warn('delivery.fault', { delivery_id: id, ...factsOfFault(error) });
  }

  private async attempt(delivery: DueDelivery, place: Place): Promise<boolean> {
    const { queue, log, chance } = this.deps;
    const integration = await this.integrationOf(delivery);
    if (integration instanceof DomainError) return this.park(delivery, integration.code);
    const { attempt, received, retryAfterS } = await this.send(delivery, integration);
    if (received) {
      const news = place.received(attempt.ms);
      // The endpoint is well and has nothing of this any more: the next need not wait until it is written down.
      if (!isPaced(delivery)) place.leave();
      return this.thenNext(delivery, await queue.delivered(delivery, attempt, news));
    }
    const trouble = troubleOf({ delivery, attempt, place, retryAfterS });
    const dueInMs = nextAttemptInMs({
      ...{ tries: delivery.tries + 1, ageMs: delivery.ageMs + attempt.ms },
      ...{ chance: chance.roll(), retryAfterS },
    });
    if (dueInMs !== undefined) return queue.retry(delivery, attempt, { trouble, dueInMs: usesUpSchedule(delivery) ? dueInMs : undefined });
    log.warn('delivery.given-up', { delivery_id: delivery.id, error_code: attempt.errorCode, cause: attempt.cause });
    return this.thenNext(delivery, await queue.giveUp(delivery, attempt, { trouble }));
  }

  /** Where it was switched on meanwhile nobody would wake it, as it was not parked yet. */
  private async park(delivery: DueDelivery, code: string): Promise<boolean> {
    const { queue, bell } = this.deps;
    const held = await queue.park(delivery, code, parkedForMs(delivery));
    const integration = await this.integrationOf(delivery);
    if (!(integration instanceof DomainError)) await queue.wake({ clientId: integration.hostApp.id, appId: integration.miniapp.id }, 1000);
    if (delivery.trouble !== undefined || !(integration instanceof DomainError)) bell.ring();
    return held;
  }

  /** What waited behind an event is due now. */
  private thenNext({ owed, lane }: DueDelivery, held: boolean): boolean {
    if (owed.kind === 'event') this.deps.bell.ring(lane);
    return held;
  }

  /** Looked up anew at each attempt. A refusal, given back, is what the delivery waits for. */
  private async integrationOf({ integrationId, owed }: DueDelivery): Promise<Integration | DomainError> {
    try {
      return await integrationById(this.deps.directory, { integrationId, feature: owed.kind === 'completion' ? 'payments' : 'events' });
    } catch (error) {
      // That the directory is away is no refusal: nothing is parked for it.
      if (error instanceof DomainError && error.kind === 'invalid') return error;
      throw error;
    }
  }

  /** Any 2xx is receipt, whatever the body. Throws Unavailable. */
  private async send(delivery: DueDelivery, integration: Integration): Promise<Tried> {
    const { gateway, clock, timeoutMs } = this.deps;
    const at = clock.now();
    const tried = (parts: Omit<Attempt, 'reason' | 'at' | 'ms'>, received: boolean): Tried => {
      return { attempt: { reason: delivery.reason, at, ms: clock.now() - at, ...parts }, received };
    };
    try {
      const { retryAfterS, ...answer } = await gateway.deliver({ delivery, integration, at, deadline: at + timeoutMs });
      return isReceipt(answer) ? tried(answer, true) : { ...tried({ ...refused(answer) }, false), retryAfterS };
    } catch (error) {
      if (!(error instanceof DomainError)) {
        this.tellFault(delivery, error);
        return tried({ errorCode: 'UNKNOWN_ERROR' }, false);
      }
      if (error.kind === 'unavailable') throw error;
      return tried({ errorCode: error.code, cause: error.details.cause }, false);
    }
  }
}

/** An attempt that a half-open circuit lets through holds its place for a while, so that the window bounds the rate. */
const isPaced = ({ trouble }: DueDelivery): boolean => trouble?.circuit === 'half-open';

interface FailedAt extends Pick<Tried, 'attempt' | 'retryAfterS'> {
  readonly delivery: DueDelivery;
  readonly place: Place;
}

/** What the failure says of the endpoint. Its time without probes counts from the attempt's begin, as one that hangs takes long to fail. */
function troubleOf({ delivery, attempt, place, retryAfterS = 0 }: FailedAt): FailedEndpoint | undefined {
  if (!isTrouble(attempt)) {
    place.failed();
    return undefined;
  }
  const opensAfter = place.troubled(retryAfterS);
  const askedMs = Math.min(retryAfterS * 1000, longestWaitMs);
  const probeInMs = nextProbeInMs({ attemptMs: attempt.ms, troubledForMs: delivery.trouble?.forMs });
  return { opensAfter, quietMs: opensAfter === 1 ? askedMs : Math.max(askedMs, probeInMs) };
}

const isReceipt = ({ status }: DeliveryAnswer): boolean => status >= 200 && status < 300;

const refused = ({ status, errorCode = 'UNEXPECTED_RESPONSE_ERROR' }: DeliveryAnswer) => ({
  status,
  errorCode,
  cause: `http-${String(status)}`,
});

/** An attempt beside the schedule that fails leaves the schedule as it was; what has ended begins one anew. */
const usesUpSchedule = ({ reason }: DueDelivery): boolean => reason === 'schedule' || reason === 'operator';
