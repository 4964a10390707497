import { queueOfCompletion } from '../deliveries/endpoint-queue';
import type { DeliveryNotifier } from '../deliveries/ports';
import type { Relay } from '../exchanges/exchange';
import { withSlots, type PartnerSlots } from '../isolation/partner-slots';
import type { Integration } from '../partners/integrations/integration';
import { wasNeverSent } from '../partners/partner-errors';
import { DomainError, refusal, Unavailable } from '../shared/errors';
import type { Clock, IdGenerator } from '../shared/ports';
import type { CallAsStoredUser } from '../sso/call-as-stored-user';
import { callForUser, payingReference } from './call-for-user';
import type { Order, PaymentIntent } from './order-payment';
import type { HostAppPaymentGateway, OpenedIntent, OpenedPayment, OrderPaymentRepository } from './ports';

export interface CreateOrderPaymentCommand {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly order: Order;
  /** The caller's Idempotency-Key. Absent when none was sent. */
  readonly idempotencyKey?: string | undefined;
}

/** A creation in progress; `intended` resolves when the intent is committed. */
interface Creation {
  readonly intent: PaymentIntent;
  readonly intended: Promise<void>;
  /** The result of `payingReference`. */
  readonly reference: string | undefined;
}

const calledPartners = [{ side: 'hostapp', step: 'create' }] as const;
/** First wait between attempts to store the host app's answer, in milliseconds. */
const firstPauseMs = 50;
/** Maximum wait, in milliseconds; short, so that the answer is stored soon after the database is back. */
const longestPauseMs = 1000;

/**
 * Opens a payment at the host app for a miniapp's order, and stores it (contract/payments#create-order-payment). The intent is stored
 * before the host app is called, which happens once; any outcome is stored. If it is unknown whether a payment was opened, the error has
 * `outcome: unknown` and is not retryable. Throws HOSTAPP_USER_ID_REQUIRED, HOSTAPP_USER_NOT_FOUND, PartnerBusy before anything is sent,
 * and what the gateway throws.
 */
export class CreateOrderPayment {
  constructor(
    private readonly deps: {
      payments: OrderPaymentRepository;
      hostApp: HostAppPaymentGateway;
      users: Pick<CallAsStoredUser, 'execute'>;
      /** Absent: calls to partners are not limited. */
      slots?: PartnerSlots | undefined;
      notifier: DeliveryNotifier;
      ids: IdGenerator;
      clock: Clock;
      /** As `pollTimesMs`; the first time is stored with the intent. */
      timesMs: readonly number[];
      pause: (ms: number) => Promise<void>;
    },
  ) {}

  async execute(command: CreateOrderPaymentCommand): Promise<OpenedPayment> {
    const { relay, integration } = command;
    const { hostappUserId } = command.order.fields;
    if (hostappUserId !== undefined) relay.trace.reference(hostappUserId);
    const reference = payingReference(integration, hostappUserId);
    return withSlots(this.deps.slots, { relay, integration, legs: calledPartners }, (held) =>
      this.create({ ...command, relay: held }, reference),
    );
  }

  private async create(command: CreateOrderPaymentCommand, reference: string | undefined): Promise<OpenedPayment> {
    const { relay, integration, order } = command;
    const { payments, ids, clock } = this.deps;
    const { id: integrationId, hostApp } = integration;
    const intent: PaymentIntent = { id: ids.next(), integrationId, clientId: hostApp.id, order, ...this.planOf(clock.now()) };
    const intended = payments.intend(intent).then(() => {
      relay.trace.partOf(intent.id);
    });
    // Marks a rejection as handled; `openAtHostApp` awaits the promise before it sends anything.
    intended.catch(() => undefined);
    const opened = await this.openAtHostApp(command, { intent, intended, reference });
    await this.bind(relay, intent, opened);
    return opened;
  }

  private planOf(at: number): Pick<PaymentIntent, 'at' | 'firstPollAt'> {
    const [first] = this.deps.timesMs;
    return { at, firstPollAt: first === undefined ? undefined : at + first };
  }

  /** Reads the user's token while the intent is being stored. Sends nothing before the intent is committed. */
  private async openAtHostApp(command: CreateOrderPaymentCommand, { intent, intended, reference }: Creation): Promise<OpenedPayment> {
    const { relay, integration, order, idempotencyKey } = command;
    // The prefixes keep a caller's key from being equal to the id of an intent.
    const once = idempotencyKey === undefined ? `intent ${intent.id}` : `key ${idempotencyKey}`;
    try {
      return await callForUser(this.deps.users, { relay, integration, reference }, async (user) => {
        await intended;
        return this.deps.hostApp.create(relay, integration, { order, once, user });
      });
    } catch (error) {
      // If the intent was not stored, nothing was sent and there is nothing to end: the storage error is thrown.
      await intended;
      if (isAnswered(error)) {
        await this.giveUp(intent, 'refused');
        throw error;
      }
      await this.giveUp(intent, 'unanswered');
      throw ofUnknownOutcome(error);
    }
  }

  /**
   * Ends an intent without a payment. One that cannot be ended stays begun, which counts as unanswered; the caller gets the call's own
   * error.
   */
  private async giveUp(intent: PaymentIntent, how: 'refused' | 'unanswered'): Promise<void> {
    try {
      await this.deps.payments.giveUp(intent, how);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  }

  /** Stores the opened payment. While the database is unavailable, retries until the call's deadline, so that the payment is not lost. */
  private async bind(relay: Relay, intent: PaymentIntent, { orderPaymentId }: OpenedPayment): Promise<void> {
    const payment = await this.patiently(relay, () => this.deps.payments.open(intent, orderPaymentId));
    relay.trace.partOf(payment.id);
    // The completion came before the host app's answer; its delivery has just become due.
    if (payment.completion) this.deps.notifier.notify(queueOfCompletion(payment.completion));
  }

  private async patiently(relay: Relay, open: () => Promise<OpenedIntent>): Promise<OpenedIntent> {
    for (let wait = firstPauseMs; ; wait = Math.min(wait * 2, longestPauseMs)) {
      try {
        return await open();
      } catch (error) {
        if (!(error instanceof Unavailable) || this.deps.clock.now() + wait >= relay.deadline) throw ofUnknownOutcome(error);
      }
      await this.deps.pause(wait);
    }
  }
}

/**
 * Whether it is certain that no payment was opened: the host app refused the creation with a readable error, or the request was never
 * sent. A status alone is not certain, because a proxy before the back end can send one, too.
 */
function isAnswered(error: unknown): boolean {
  if (!(error instanceof DomainError)) return false;
  if (error.details.step !== 'create' || wasNeverSent(error)) return true;
  return error.kind !== 'partner-garbled' && error.kind !== 'partner-unreachable';
}

/**
 * The error of a call that may have opened a payment, so it must not be repeated blindly. Our own failure is not a 503, because callers
 * repeat those.
 */
function ofUnknownOutcome(error: unknown): DomainError {
  const unknown = { outcome: 'unknown', retryable: false };
  if (error instanceof DomainError && !(error instanceof Unavailable)) {
    return new DomainError(error.kind, error.code, error.message, { ...error.details, ...unknown });
  }
  const fault = refusal('fault', 'UNKNOWN_ERROR', { side: 'platform', step: 'create', ...unknown });
  return Object.defineProperty(fault, 'cause', { value: error });
}
