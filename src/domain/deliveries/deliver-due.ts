import { requireFeature } from '../partners/features';
import { requireAccepted, type Integration } from '../partners/integration';
import type { PartnerDirectory } from '../partners/ports';
import { DomainError, refusal } from '../shared/errors';
import { factsOfFault } from '../shared/fault';
import type { Clock, Log } from '../shared/ports';
import type { Attempt, DueDelivery } from './delivery';
import type { Chance, DeliveryAnswer, DeliveryBell, DeliveryGateway, DeliveryQueue } from './ports';
import { nextAttemptAt, parkedUntil } from './schedule';

export interface DeliverDueCommand {
  /** Attempts that may be begun. */
  readonly limit: number;
}

interface Deps {
  readonly queue: DeliveryQueue;
  readonly directory: PartnerDirectory;
  readonly gateway: DeliveryGateway;
  readonly bell: DeliveryBell;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** Milliseconds that one attempt may take. */
  readonly timeoutMs: number;
}

/** A claim outlives its attempt by this much, in milliseconds, so that a live attempt keeps it while its end is written. */
const leaseMarginMs = 5000;

/** How one attempt went; with `retryAfterS`, what the receiver asked for. */
interface Tried {
  readonly attempt: Attempt;
  readonly received: boolean;
  readonly retryAfterS?: number | undefined;
}

/** Delivers what is due: each delivery is attempted until it is received, or its seven days are over (decisions §3). */
export class DeliverDue {
  constructor(private readonly deps: Deps) {}

  /** Claims what is due and begins an attempt of each. Resolves to the attempts under way; none of them rejects. */
  async execute({ limit }: DeliverDueCommand): Promise<readonly Promise<void>[]> {
    const claimed = await this.deps.queue.claimDue({ limit, leaseMs: this.deps.timeoutMs + leaseMarginMs });
    return claimed.map((delivery) => this.handle(delivery));
  }

  /** Where the database is away the delivery stays claimed: it is owed again when the claim has run out. */
  private async handle(delivery: DueDelivery): Promise<void> {
    try {
      const held = await this.attempt(delivery);
      if (!held) this.deps.log.warn('delivery.claim-lost', { delivery_id: delivery.id });
    } catch (error) {
      this.tellFault(delivery, error);
    }
  }

  private tellFault({ id }: DueDelivery, error: unknown): void {
    this.deps.log.warn('delivery.fault', { delivery_id: id, ...factsOfFault(error) });
  }

  private async attempt(delivery: DueDelivery): Promise<boolean> {
    const { queue, clock, log } = this.deps;
    const integration = await this.integrationOf(delivery);
    if (integration instanceof DomainError) {
      return queue.park(delivery, integration.code, parkedUntil({ owedSince: delivery.owedSince, now: clock.now() }));
    }
    const { attempt, received, retryAfterS } = await this.send(delivery, integration);
    if (received) return this.thenNext(delivery, await queue.delivered(delivery, attempt));
    const now = clock.now();
    const dueAt = nextAttemptAt({ ...delivery, tries: delivery.tries + 1, now, chance: this.deps.chance.roll(), retryAfterS });
    if (dueAt !== undefined) return queue.retry(delivery, attempt, dueAt);
    log.warn('delivery.given-up', { delivery_id: delivery.id, error_code: attempt.errorCode, cause: attempt.cause });
    return this.thenNext(delivery, await queue.giveUp(delivery, attempt));
  }

  /** What waited behind an event is due now. */
  private thenNext({ owed }: DueDelivery, held: boolean): boolean {
    if (owed.kind === 'event') this.deps.bell.ring();
    return held;
  }

  /** Looked up anew at each attempt. A refusal, given back, is what the delivery waits for. */
  private async integrationOf({ integrationId, owed }: DueDelivery): Promise<Integration | DomainError> {
    const { directory } = this.deps;
    const agreement = await directory.agreementById(integrationId);
    const hostApp = agreement && (await directory.hostApp(agreement.clientId));
    const miniapp = agreement && (await directory.miniapp(agreement.appId));
    if (!hostApp || !miniapp) return refusal('invalid', 'NO_INTEGRATION', { side: 'platform' });
    try {
      const integration = requireAccepted(hostApp, miniapp, agreement);
      const levels = { hostApp: hostApp.settings.features, miniapp: miniapp.settings.features, integration: integration.settings.features };
      requireFeature(owed.kind === 'completion' ? 'payments' : 'events', levels);
      return integration;
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  }

  /** Any 2xx is receipt, whatever the body. Throws Unavailable. */
  private async send(delivery: DueDelivery, integration: Integration): Promise<Tried> {
    const { gateway, clock, timeoutMs } = this.deps;
    const at = clock.now();
    const tried = (parts: Omit<Attempt, 'at' | 'ms'>, received: boolean): Tried => {
      return { attempt: { at, ms: clock.now() - at, ...parts }, received };
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

const isReceipt = ({ status }: DeliveryAnswer): boolean => status >= 200 && status < 300;

const refused = ({ status, errorCode = 'UNEXPECTED_RESPONSE_ERROR' }: DeliveryAnswer) => ({
  status,
  errorCode,
  cause: `http-${String(status)}`,
});
