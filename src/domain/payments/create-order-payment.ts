import { laneOfCompletion } from '../deliveries/lane';
import type { DeliveryBell } from '../deliveries/ports';
import type { Relay } from '../exchanges/exchange';
import { withPlaces, type PartnerPlaces } from '../isolation/places';
import type { Integration } from '../partners/integration';
import { wasNeverSent } from '../partners/partner-errors';
import { DomainError, refusal, Unavailable } from '../shared/errors';
import type { Clock, IdSource } from '../shared/ports';
import type { CallAsStoredUser } from '../sso/call-as-stored-user';
import { callForUser, payingReference } from './call-for-user';
import type { Order, PaymentIntent } from './order-payment';
import type { HostAppPaymentGateway, OpenedIntent, OpenedPayment, OrderPaymentRepository } from './ports';

export interface CreateOrderPaymentCommand {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly order: Order;
  /** The caller's Idempotency-Key; absent: none was sent. */
  readonly idempotencyKey?: string | undefined;
}

/** A creation under way; `intended` resolves when the intent is committed. */
interface Creation {
  readonly intent: PaymentIntent;
  readonly intended: Promise<void>;
  /** As `payingReference` gave it. */
  readonly reference: string | undefined;
}

const calledPartners = [{ side: 'hostapp', step: 'create' }] as const;
/** Between attempts to write down what the host app answered, in milliseconds. */
const firstPauseMs = 50;
/** So that the database is found soon after it is back. */
const longestPauseMs = 1000;

/**
 * A miniapp asks to be paid: the host app opens a payment, and we remember what it is for (contract/payments#create-order-payment).
 * The intent is stored before the host app is asked, which happens once; whatever its end, it is written down. Where nobody
 * knows whether a payment was opened, the error says `outcome: unknown` and is not retryable. Throws HOSTAPP_USER_ID_REQUIRED,
 * HOSTAPP_USER_NOT_FOUND, PartnerBusy before anything is sent, and what the gateway throws.
 */
export class CreateOrderPayment {
  constructor(
    private readonly deps: {
      payments: OrderPaymentRepository;
      hostApp: HostAppPaymentGateway;
      users: Pick<CallAsStoredUser, 'execute'>;
      /** Absent: calls to partners are not bounded. */
      places?: PartnerPlaces | undefined;
      bell: DeliveryBell;
      ids: IdSource;
      clock: Clock;
      /** As `askTimesMs`; the first of them is written down with the intent. */
      timesMs: readonly number[];
      pause: (ms: number) => Promise<void>;
    },
  ) {}

  async execute(command: CreateOrderPaymentCommand): Promise<OpenedPayment> {
    const { relay, integration } = command;
    const { hostappUserId } = command.order.facts;
    if (hostappUserId !== undefined) relay.trace.reference(hostappUserId);
    const reference = payingReference(integration, hostappUserId);
    return withPlaces(this.deps.places, { relay, integration, legs: calledPartners }, (placed) =>
      this.create({ ...command, relay: placed }, reference),
    );
  }

  private async create(command: CreateOrderPaymentCommand, reference: string | undefined): Promise<OpenedPayment> {
    const { relay, integration, order } = command;
    const { payments, ids, clock } = this.deps;
    const intent: PaymentIntent = { id: ids.next(), integrationId: integration.id, order, ...this.planOf(integration, clock.now()) };
    const intended = payments.intend(intent).then(() => {
      relay.trace.partOf(intent.id);
    });
    // It is awaited before anything is sent; until then its failure has nobody to handle it.
    intended.catch(() => undefined);
    const opened = await this.ask(command, { intent, intended, reference });
    await this.bind(relay, intent, opened);
    return opened;
  }

  private planOf({ hostApp }: Integration, at: number): Pick<PaymentIntent, 'at' | 'ask'> {
    const [first] = this.deps.timesMs;
    return { at, ...(first !== undefined && { ask: { clientId: hostApp.id, at: at + first } }) };
  }

  /** The user's token is read while the intent is stored. Nothing is sent before that is committed. */
  private async ask(command: CreateOrderPaymentCommand, { intent, intended, reference }: Creation): Promise<OpenedPayment> {
    const { relay, integration, order, idempotencyKey } = command;
    // Two words, so that no caller's key can be the id of an intent.
    const once = idempotencyKey === undefined ? `intent ${intent.id}` : `key ${idempotencyKey}`;
    try {
      return await callForUser(this.deps.users, { relay, integration, reference }, async (user) => {
        await intended;
        return this.deps.hostApp.create(relay, integration, { order, once, user });
      });
    } catch (error) {
      // Without an intent nothing was sent, and there is nothing to end.
      await intended;
      if (isAnswered(error)) {
        await this.giveUp(intent, 'refused');
        throw error;
      }
      await this.giveUp(intent, 'unanswered');
      throw ofUnknownOutcome(error);
    }
  }

  /** An intent that could not be ended stays begun, which counts as unanswered; the caller gets the outcome of the call itself. */
  private async giveUp(intent: PaymentIntent, how: 'refused' | 'unanswered'): Promise<void> {
    try {
      await this.deps.payments.giveUp(intent, how);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  }

  /** The payment is there and must not be forgotten: while the database is away, this tries again as long as the call may take. */
  private async bind(relay: Relay, intent: PaymentIntent, { orderPaymentId }: OpenedPayment): Promise<void> {
    const payment = await this.patiently(relay, () => this.deps.payments.open(intent, orderPaymentId));
    relay.trace.partOf(payment.id);
    // Its completion came before the answer, and is owed since now.
    if (payment.completion) this.deps.bell.ring(laneOfCompletion(payment.completion));
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
 * Whether it is known that no payment was opened: the call to create one was refused in words, or it was never sent. A status
 * alone is no answer: what stands before a back end gives those, too.
 */
function isAnswered(error: unknown): boolean {
  if (!(error instanceof DomainError)) return false;
  if (error.details.step !== 'create' || wasNeverSent(error)) return true;
  return error.kind !== 'partner-garbled' && error.kind !== 'partner-unreachable';
}

/** Not to be repeated blindly: there may be a payment. Our own trouble is no 503, which callers repeat. */
function ofUnknownOutcome(error: unknown): DomainError {
  const unknown = { outcome: 'unknown', retryable: false };
  if (error instanceof DomainError && !(error instanceof Unavailable)) {
    return new DomainError(error.kind, error.code, error.message, { ...error.details, ...unknown });
  }
  const fault = refusal('fault', 'UNKNOWN_ERROR', { side: 'platform', step: 'create', ...unknown });
  return Object.defineProperty(fault, 'cause', { value: error });
}
