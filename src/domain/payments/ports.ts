import type { DueDelivery } from '../deliveries/delivery';
import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integrations/integration';
import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';
import type { Json, JsonObject } from '../shared/json';
import type { Secret } from '../shared/secret';
import type { Order, OrderPayment, PaymentIntent, PaymentWord, Settlement } from './order-payment';

/** Identifies a payment. The integration is part of it, because two host apps may use equal ids. */
export interface PaymentKey {
  readonly integrationId: string;
  readonly orderPaymentId: string;
}

/** Thrown when no payment of this integration has the id. The error is the same for an unknown id and another integration's payment. */
export class OrderNotFound extends DomainError {
  constructor() {
    super('invalid', 'ORDER_NOT_FOUND', catalogue.ORDER_NOT_FOUND.meaning, { side: 'platform' });
  }
}

/** Milliseconds for which a creation without a readable answer may still turn out to have opened a payment. */
export const unansweredForMs = 24 * 60 * 60 * 1000;

/** The committed effect of a report. */
export type KeptSettlement = Settlement & {
  /** The pending delivery, claimed by the caller. Absent when there is none, or anybody may claim it. */
  readonly claimed?: DueDelivery | undefined;
};

/** The payment of an intent: its own id, and its result, if that came before the host app's answer. */
export type OpenedIntent = Pick<OrderPayment, 'id' | 'completion'>;

/** Stores order payments. */
export interface OrderPaymentRepository {
  /** Stores the intent before the host app is called, so that a completion always finds it. Call it once per intent. */
  intend(intent: PaymentIntent): Promise<void>;
  /**
   * Binds the intent to the host app's id, and applies a completion that came first. If the id is bound already, resolves to that payment,
   * whatever intent it came from. Repeating the call changes nothing.
   */
  open(intent: Pick<PaymentIntent, 'id' | 'integrationId'>, orderPaymentId: string): Promise<OpenedIntent>;
  /** Ends a creation without a payment: `refused` by the host app, or `unanswered`, so that the outcome is unknown. */
  giveUp(intent: Pick<PaymentIntent, 'id' | 'integrationId'>, how: 'refused' | 'unanswered'): Promise<void>;
  find(key: PaymentKey): Promise<OrderPayment | undefined>;
  /**
   * Replaces a stored payment by the result of `change`, under a lock; payment, pending delivery and disagreement are committed together.
   * `change` is synchronous, so that no partner is called under the lock.
   *
   * While a creation of the integration is unanswered, or ended without a readable answer in the last `unansweredForMs`, an unknown id may
   * be its payment: `change` then gets a provisional payment, and the result that it settles is stored and applied by `open`. Otherwise
   * throws OrderNotFound.
   *
   * `claimForMs`: claims the pending delivery for the caller for so many milliseconds, unless its endpoint is in trouble.
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

/** The request to open a payment at a host app. */
export interface PaymentRequest {
  readonly order: Order;
  /** Equal for all requests for the same payment, different for all others of the integration. Partners get only a digest. */
  readonly once: string;
  /** Absent: the call is made as the platform itself. */
  readonly user?: PayingUser | undefined;
}

/** A payment that the host app has opened. */
export interface OpenedPayment {
  readonly orderPaymentId: string;
  /** Passed on unchanged. */
  readonly customAttributes?: JsonObject | undefined;
}

export interface StatusRequest {
  readonly orderPaymentId: string;
  /** Absent: the call is made as the platform itself. */
  readonly user?: PayingUser | undefined;
}

/** A payment's status as the host app reports it. */
export interface StatusReport {
  readonly word: PaymentWord;
  readonly failReason?: string | undefined;
  /** Passed on unchanged. */
  readonly customAttributes?: Json | undefined;
}

/**
 * Calls a host app's back end about payments. Sends each call once; repeats it only after a refused client access token. Fails only with
 * the partner-* kinds, EndpointNotSet and missing credentials; throws UserTokenRejected where the host app rejects the user's token.
 */
export interface HostAppPaymentGateway {
  create(relay: Relay, integration: Integration, request: PaymentRequest): Promise<OpenedPayment>;
  /** Throws PartnerGarbled with INVALID_PAYMENT_STATUS_RESPONSE for an unknown status word. */
  status(relay: Relay, integration: Integration, request: StatusRequest): Promise<StatusReport>;
}
