import type { DueDelivery } from '../deliveries/delivery';
import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integration';
import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';
import type { Json, JsonObject } from '../shared/json';
import type { Secret } from '../shared/secret';
import type { Order, OrderPayment, PaymentIntent, PaymentWord, Settlement } from './order-payment';

/** A payment is known by the integration and the host app's id: ids of two host apps may be equal. */
export interface PaymentKey {
  readonly integrationId: string;
  readonly orderPaymentId: string;
}

/** No payment of this integration has the id. Says the same for an unknown id and for another integration's payment. */
export class OrderNotFound extends DomainError {
  constructor() {
    super('invalid', 'ORDER_NOT_FOUND', catalogue.ORDER_NOT_FOUND.meaning, { side: 'platform' });
  }
}

/** How long a creation that ended without a readable answer may still turn out to have opened a payment, in milliseconds. */
export const unansweredForMs = 24 * 60 * 60 * 1000;

/** What became of a report, committed. */
export type KeptSettlement = Settlement & {
  /** The delivery that is owed now, claimed by the caller. Absent: nothing is owed, or it is due and anybody may claim it. */
  readonly claimed?: DueDelivery | undefined;
};

/** The payment that an intent turned out to be: its own id, and its result, where one came first. */
export type OpenedIntent = Pick<OrderPayment, 'id' | 'completion'>;

/** Where order payments are kept. */
export interface OrderPaymentRepository {
  /** Stores the intent before the host app is asked, so that its completion is never unknown. Once per intent. */
  intend(intent: PaymentIntent): Promise<void>;
  /**
   * Binds the intent to the host app's id, and applies a completion that came first. An id that is bound already is the
   * same payment: that one is the answer, whatever intent it came from. Repeating the call changes nothing.
   */
  open(intent: Pick<PaymentIntent, 'id' | 'integrationId'>, orderPaymentId: string): Promise<OpenedIntent>;
  /** The creation ended without a payment: `refused` by the host app, or `unanswered`, so that nobody knows. */
  giveUp(intent: Pick<PaymentIntent, 'id' | 'integrationId'>, how: 'refused' | 'unanswered'): Promise<void>;
  find(key: PaymentKey): Promise<OrderPayment | undefined>;
  /**
   * Replaces a stored payment by what `change` returns, while nobody else can write it; payment, owed delivery and
   * disagreement are committed together. `change` is synchronous on purpose: no partner is ever called under a lock.
   *
   * While a creation of the integration is unanswered, or ended without a readable answer in the last `unansweredForMs`,
   * an id not known yet may be its payment: `change` then gets a provisional payment, and the result that it settles is
   * kept and applied by `open`. Otherwise throws OrderNotFound.
   *
   * `claimForMs`: the owed delivery is claimed for the caller for so many milliseconds, where it can be: not while its endpoint is in trouble.
   */
  settle(
    key: PaymentKey,
    change: (payment: OrderPayment) => Settlement,
    how?: { readonly claimForMs?: number | undefined },
  ): Promise<KeptSettlement>;
}

/** The host app's user of a payment call (host app setting `use_access_token`). */
export interface PayingUser {
  readonly reference: string;
  readonly accessToken: Secret;
  /** 1, or 2 after a refresh of the token. */
  readonly attempt: number;
}

/** What a host app is asked to open a payment with. */
export interface PaymentRequest {
  readonly order: Order;
  /** Equal for all requests that ask for the same payment, different for all others of the integration. Only a digest leaves. */
  readonly once: string;
  /** Absent: the call is made as the platform itself. */
  readonly user?: PayingUser | undefined;
}

/** A payment as the host app opened it. */
export interface OpenedPayment {
  readonly orderPaymentId: string;
  /** Travels untouched. */
  readonly customAttributes?: JsonObject | undefined;
}

export interface StatusRequest {
  readonly orderPaymentId: string;
  /** Absent: the call is made as the platform itself. */
  readonly user?: PayingUser | undefined;
}

/** How a payment stands, in the host app's words. */
export interface StatusReport {
  readonly word: PaymentWord;
  readonly failReason?: string | undefined;
  /** Travels untouched. */
  readonly customAttributes?: Json | undefined;
}

/**
 * What we ask of a host app's back end about payments. Each call is sent once and never repeated here, but for the one after a
 * refused client access token. Fails only with the partner-* kinds, EndpointNotSet and missing credentials; throws
 * UserTokenRejected where the user's token is not taken.
 */
export interface HostAppPaymentGateway {
  create(relay: Relay, integration: Integration, request: PaymentRequest): Promise<OpenedPayment>;
  /** A status that is no word of ours: PartnerGarbled with INVALID_PAYMENT_STATUS_RESPONSE. */
  status(relay: Relay, integration: Integration, request: StatusRequest): Promise<StatusReport>;
}
