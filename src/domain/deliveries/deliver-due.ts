import type { Integration } from '../partners/integrations/integration';
import { integrationById } from '../partners/integrations/integration-by-id';
import type { PartnerDirectory } from '../partners/ports';
import { DomainError } from '../shared/errors';
import { errorFields } from '../shared/fault';
import type { Clock, Log } from '../shared/ports';
import type { Attempt, AttemptReason, DueDelivery } from './delivery';
import { isTrouble, endpointQueueRules, nextProbeInMs } from './endpoint-queue';
import { EndpointSlots, type AttemptSlot } from './endpoint-slots';
import type {
  RandomGenerator,
  DeliveryAnswer,
  DeliveryNotifier,
  DeliveryGateway,
  DeliveryQueue,
  FailedEndpoint,
  ReservedAttempt,
} from './ports';
import { longestWaitMs, nextAttemptInMs, deliveryLastsMs, parkedForMs } from './schedule';

export interface DeliverDueCommand {
  /** Maximum number of attempts to begin. */
  readonly limit: number;
  /** Claims only from these queues; absent: from all. */
  readonly queues?: readonly string[];
}

/** An attempt that is running. */
export interface RunningAttempt {
  readonly queue: string;
  readonly reason: AttemptReason;
  /** Resolves when the attempt has freed its slot; `true` when the queue may hold more than the last claim began. Never rejects. */
  readonly free: Promise<boolean>;
  /** Resolves when the attempt is finished and stored. Never rejects. */
  readonly done: Promise<void>;
}

/** A reserved slot, with the promises of the attempt that may use it. */
export type RunningReservation = ReservedAttempt & Pick<RunningAttempt, 'queue' | 'free' | 'done'>;

interface Deps {
  readonly queue: DeliveryQueue;
  readonly directory: PartnerDirectory;
  readonly gateway: DeliveryGateway;
  readonly notifier: DeliveryNotifier;
  readonly clock: Clock;
  readonly chance: RandomGenerator;
  /** Resolves after `ms` milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Log;
  /** Timeout of one attempt, in milliseconds. */
  readonly timeoutMs: number;
}

/** Milliseconds by which a claim outlives its attempt's timeout, so that the attempt still holds the claim while its result is stored. */
const leaseMarginMs = 5000;
/** Milliseconds between two checks for deliveries that waited too long. */
const overdueEveryMs = 60_000;
/** Maximum milliseconds between two polls for due deliveries: another instance may have died while it held claims. */
const restMs = { waiting: 1000, idle: 5000 } as const;

/** The result of one attempt; `retryAfterS` comes from the receiver's `Retry-After`. */
interface Tried {
  readonly attempt: Attempt;
  readonly received: boolean;
  readonly retryAfterS?: number | undefined;
}

/** Attempts each due delivery until it is received or its seven days are over (contract/deliveries#schedule). */
export class DeliverDue {
  private readonly slots: EndpointSlots;
  private overdueAt = -Infinity;

  constructor(private readonly deps: Deps) {
    this.slots = new EndpointSlots(deps.clock);
  }

  /** Claims due deliveries and begins an attempt of each. */
  async execute({ limit, queues }: DeliverDueCommand): Promise<readonly RunningAttempt[]> {
    const { queue, clock, timeoutMs } = this.deps;
    const leaseMs = timeoutMs + leaseMarginMs;
    if (!queues) await this.giveUpOverdue(clock.now());
    return this.slots.claiming(queues, async (capacity) => {
      const claimed = await queue.claimDue({ limit, leaseMs, capacity, ...(queues && { queues }) });
      const begun = claimed.map((delivery) => this.attemptOf(delivery));
      this.slots.noteFull({ queues, capacity, claimed: claimed.map(({ queue }) => queue), limit });
      return begun;
    });
  }

  private attemptOf(delivery: DueDelivery): RunningAttempt {
    const { queue, reason } = delivery;
    const slot = this.slots.enter(queue, delivery);
    return { queue, reason, free: slot.free, done: this.handle(delivery, slot) };
  }

  /** Reserves a slot for a delivery that is about to be stored; `undefined` when all free slots of the queue are left to claims. */
  reserve(queue: string): RunningReservation | undefined {
    if (!this.slots.canBeReserved(queue)) return undefined;
    const slot = this.slots.enter(queue);
    let end: ((over?: Promise<void>) => void) | undefined;
    const done = new Promise<void>((resolve) => (end = resolve));
    return {
      queue,
      leaseMs: this.deps.timeoutMs + leaseMarginMs,
      free: slot.free,
      done,
      begin: (delivery) => {
        end?.(this.handle(delivery, slot));
        end = undefined;
      },
      release: () => {
        if (!end) return;
        slot.leave();
        end();
        end = undefined;
      },
    };
  }

  /** Milliseconds until the next claim is worthwhile, 0 when it is now. A new delivery notifies, so it need not wait for this. */
  async restMs(): Promise<number> {
    const { waits, inMs = Infinity } = await this.deps.queue.nextDue(this.slots.withoutFreeSlot());
    return Math.max(0, Math.min(inMs, waits ? restMs.waiting : restMs.idle));
  }

  /** Gives up overdue deliveries behind an open circuit: most are never attempted there, so no attempt would notice their age. */
  private async giveUpOverdue(now: number): Promise<void> {
    if (now - this.overdueAt < overdueEveryMs) return;
    this.overdueAt = now;
    const count = await this.deps.queue.giveUpOverdue({ waitingForMs: deliveryLastsMs + longestWaitMs, overdueByMs: longestWaitMs });
    if (count > 0) this.deps.log.warn('delivery.given-up', { count, cause: 'circuit-open' });
  }

  /** Runs one attempt. When the database is unavailable, the delivery stays claimed and is due again once the claim has expired. */
  private async handle(delivery: DueDelivery, slot: AttemptSlot): Promise<void> {
    const begunAt = this.deps.clock.now();
    try {
      const held = await this.attempt(delivery, slot);
      if (!held) this.deps.log.warn('delivery.claim-lost', { delivery_id: delivery.id });
    } catch (error) {
      this.logFault(delivery, error);
    }
    if (isPaced(delivery)) await this.deps.pause(Math.max(0, begunAt + endpointQueueRules.heldForMs - this.deps.clock.now()));
    slot.leave();
  }

  private logFault({ id }: DueDelivery, error: unknown): void {
    this.deps.log.warn('delivery.fault', { delivery_id: id, ...errorFields(error) });
  }

  private async attempt(delivery: DueDelivery, slot: AttemptSlot): Promise<boolean> {
    const { queue, log, chance } = this.deps;
    const integration = await this.integrationOf(delivery);
    if (integration instanceof DomainError) return this.park(delivery, integration.code);
    const { attempt, received, retryAfterS } = await this.send(delivery, integration);
    if (received) {
      const news = slot.received(attempt.ms);
      // The endpoint works and this attempt is over there: the next one need not wait until the result is stored.
      if (!isPaced(delivery)) slot.leave();
      return this.thenNext(delivery, await queue.delivered(delivery, attempt, news));
    }
    const trouble = troubleOf({ delivery, attempt, slot, retryAfterS });
    const dueInMs = nextAttemptInMs({
      ...{ tries: delivery.tries + 1, ageMs: delivery.ageMs + attempt.ms },
      ...{ chance: chance.next(), retryAfterS },
    });
    if (dueInMs !== undefined) return queue.retry(delivery, attempt, { trouble, dueInMs: usesUpSchedule(delivery) ? dueInMs : undefined });
    log.warn('delivery.given-up', { delivery_id: delivery.id, error_code: attempt.errorCode, cause: attempt.cause });
    return this.thenNext(delivery, await queue.giveUp(delivery, attempt, { trouble }));
  }

  /** Parks a delivery, then checks again: a feature enabled just before the parking would not have woken it. */
  private async park(delivery: DueDelivery, code: string): Promise<boolean> {
    const { queue, notifier } = this.deps;
    const held = await queue.park(delivery, code, parkedForMs(delivery));
    const integration = await this.integrationOf(delivery);
    if (!(integration instanceof DomainError)) await queue.wake({ clientId: integration.hostApp.id, appId: integration.miniapp.id }, 1000);
    if (delivery.trouble !== undefined || !(integration instanceof DomainError)) notifier.notify();
    return held;
  }

  /** Wakes the queue after an event has ended, because the next event of its ordering key is due now. */
  private thenNext({ content, queue }: DueDelivery, held: boolean): boolean {
    if (content.kind === 'event') this.deps.notifier.notify(queue);
    return held;
  }

  /** Looks up the integration, anew at each attempt. Returns, not throws, the refusal for which the delivery is to be parked. */
  private async integrationOf({ integrationId, content }: DueDelivery): Promise<Integration | DomainError> {
    try {
      return await integrationById(this.deps.directory, { integrationId, feature: content.kind === 'completion' ? 'payments' : 'events' });
    } catch (error) {
      // Other errors are not refusals, such as an unavailable directory: nothing is parked for them.
      if (error instanceof DomainError && error.kind === 'invalid') return error;
      throw error;
    }
  }

  /** Sends one attempt. Any 2xx counts as receipt, whatever the body. Throws Unavailable. */
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
        this.logFault(delivery, error);
        return tried({ errorCode: 'UNKNOWN_ERROR' }, false);
      }
      if (error.kind === 'unavailable') throw error;
      return tried({ errorCode: error.code, cause: error.details.cause }, false);
    }
  }
}

/** Whether an attempt holds its slot for a minimum time: under a half-open circuit the window must bound the rate. */
const isPaced = ({ trouble }: DueDelivery): boolean => trouble?.circuit === 'half-open';

interface FailedAt extends Pick<Tried, 'attempt' | 'retryAfterS'> {
  readonly delivery: DueDelivery;
  readonly slot: AttemptSlot;
}

/** What the failure means for the endpoint's circuit. The next probe is timed from the attempt's begin, as a hanging attempt fails late. */
function troubleOf({ delivery, attempt, slot, retryAfterS = 0 }: FailedAt): FailedEndpoint | undefined {
  if (!isTrouble(attempt)) {
    slot.failed();
    return undefined;
  }
  const opensAfter = slot.endpointFailed(retryAfterS);
  const retryAfterMs = Math.min(retryAfterS * 1000, longestWaitMs);
  const probeInMs = nextProbeInMs({ attemptMs: attempt.ms, failingForMs: delivery.trouble?.forMs });
  return { opensAfter, backoffMs: opensAfter === 1 ? retryAfterMs : Math.max(retryAfterMs, probeInMs) };
}

const isReceipt = ({ status }: DeliveryAnswer): boolean => status >= 200 && status < 300;

const refused = ({ status, errorCode = 'UNEXPECTED_RESPONSE_ERROR' }: DeliveryAnswer) => ({
  status,
  errorCode,
  cause: `http-${String(status)}`,
});

/** Whether a failed attempt sets a new due time. Probes and early attempts keep the old one; a resend of an ended delivery needs one. */
const usesUpSchedule = ({ reason }: DueDelivery): boolean => reason === 'schedule' || reason === 'operator';
