/*
 * The bodies of the contract, named as on the wire. Optional members may be `null`, which means absent. The service's own facts
 * of the same bodies are held against these types by the compiler (tests/unit/kit/bodies.spec.ts).
 */

/** Parsed JSON. A number that a double cannot hold exactly becomes its text. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonMembers;
export interface JsonMembers {
  readonly [name: string]: JsonValue | undefined;
}

/** At most 20 digits, 2 after the point. Text is relayed unchanged and is safer: a JavaScript number is a binary float. */
export type Decimal = string | number;

type Maybe<T> = T | null | undefined;

/** A user of the host app. */
export interface UserData {
  /** The host app's id of its user, 1 to 100 characters; unique within that host app only. */
  readonly reference: string;
  readonly email?: Maybe<string>;
  /** E.164 format. */
  readonly phone?: Maybe<string>;
  readonly first_name?: Maybe<string>;
  readonly last_name?: Maybe<string>;
  readonly custom_attributes?: Maybe<JsonMembers>;
}

export interface OrderItem {
  readonly product_name?: Maybe<string>;
  readonly product_variant_name?: Maybe<string>;
  readonly product_sku?: Maybe<string>;
  readonly product_image_url?: Maybe<string>;
  readonly quantity?: Maybe<Decimal>;
  readonly price?: Maybe<Decimal>;
  readonly discount?: Maybe<Decimal>;
}

export interface OrderShippingAddress {
  readonly address1?: Maybe<string>;
  readonly address2?: Maybe<string>;
  readonly first_name?: Maybe<string>;
  readonly last_name?: Maybe<string>;
  readonly phone?: Maybe<string>;
  readonly region_name?: Maybe<string>;
  readonly region_code?: Maybe<string>;
  readonly province_name?: Maybe<string>;
  readonly province_code?: Maybe<string>;
  readonly city?: Maybe<string>;
  readonly country?: Maybe<string>;
  readonly postal_code?: Maybe<string>;
  /** Degrees, -90 to 90. */
  readonly latitude?: Maybe<Decimal>;
  /** Degrees, -180 to 180. */
  readonly longitude?: Maybe<Decimal>;
}

/** The order that a miniapp wants to be paid. Other members are relayed unchanged, too. */
export interface OrderDetails {
  readonly currency: string;
  readonly amount: Decimal;
  readonly subtotal_amount?: Maybe<Decimal>;
  readonly shipping_amount?: Maybe<Decimal>;
  readonly discount_amount?: Maybe<Decimal>;
  readonly tax_amount?: Maybe<Decimal>;
  readonly tax_title?: Maybe<string>;
  readonly taxes_included?: Maybe<boolean>;
  readonly note?: Maybe<string>;
  readonly miniapp_order_id?: Maybe<string>;
  /** The user's reference, where the host app needs it. */
  readonly hostapp_user_id?: Maybe<string>;
  readonly items?: Maybe<readonly OrderItem[]>;
  readonly shipping_address?: Maybe<OrderShippingAddress>;
  readonly custom_attributes?: Maybe<JsonMembers>;
}

/** All but the first two are final; `processing` means the same as `in_process`. */
export type PaymentStatus = 'in_process' | 'processing' | 'paid' | 'cancelled' | 'failed';

/** A payment's result or current status. */
export interface PaymentResult {
  readonly order_payment_id: string;
  readonly payment_status: PaymentStatus;
  readonly payment_fail_reason?: Maybe<string>;
  readonly custom_attributes?: Maybe<JsonMembers>;
}

/** The integration that a call is about. */
export interface Pair {
  readonly app_id: string;
  readonly client_id: string;
}

// Calls to the platform.

export interface SessionTokens {
  readonly token: string;
  /** `''` where the miniapp returns none. */
  readonly refresh_token: string;
}

export interface AuthorizedTokens extends SessionTokens {
  /** The same as `token`. */
  readonly auth_token: string;
}

export interface ConsentStatus {
  readonly is_consented: boolean;
}

export interface ConsentGiven {
  readonly user_reference: string;
  /** The user fields that the consent covers. */
  readonly fields?: Maybe<readonly string[]>;
  /** Version of the consent text that the user saw. */
  readonly text_version?: Maybe<string>;
}

/** An event to send. */
export interface EventToSend {
  readonly event_type: string;
  readonly payload?: Maybe<JsonMembers>;
  /** Durable events with the same key are delivered in order. */
  readonly ordering_key?: Maybe<string>;
}

export interface OpenedPayment {
  readonly order_payment_id: string;
  readonly custom_attributes?: Maybe<JsonValue>;
}

/** A sale that a miniapp reports. */
export interface Transaction {
  readonly transaction_id: string;
  readonly amount: Decimal;
  readonly currency: string;
  /** `paid` by default. */
  readonly status?: Maybe<'paid' | 'cancelled' | 'failed' | 'in_process' | 'refunded'>;
  readonly user_reference?: Maybe<string>;
  readonly miniapp_order_id?: Maybe<string>;
  readonly order_payment_id?: Maybe<string>;
  readonly shipping?: Maybe<Decimal>;
  readonly tax?: Maybe<Decimal>;
  readonly discount?: Maybe<Decimal>;
  readonly items?: Maybe<readonly JsonValue[]>;
  readonly customer?: Maybe<JsonMembers>;
  /** RFC 3339. */
  readonly occurred_at?: Maybe<string>;
  readonly custom_attributes?: Maybe<JsonMembers>;
}

export interface AcceptedTransaction {
  readonly transaction_id: string;
  readonly status: 'accepted';
}

// Calls of the platform, and the answers to them.

export interface MiniappTokens {
  readonly auth_token: string;
  readonly refresh_token?: Maybe<string>;
}

export interface UserTokens {
  readonly access_token: string;
  readonly refresh_token?: Maybe<string>;
}

/** RFC 6749 §5.1. */
export interface ClientToken {
  readonly access_token: string;
  /** `Bearer` by default. */
  readonly token_type?: string;
  /** Seconds. */
  readonly expires_in?: number;
}

/** A miniapp's payment request, as the host app gets it. */
export interface PaymentRequest {
  readonly app_id: string;
  readonly order: OrderDetails;
}

export interface StatusRequest extends Pair {
  readonly order_payment_id: string;
}

/** The answer may omit the order payment's id. */
export interface StatusAnswer extends Omit<PaymentResult, 'order_payment_id' | 'custom_attributes'> {
  readonly order_payment_id?: Maybe<string>;
  readonly custom_attributes?: Maybe<JsonValue>;
}

/** A host app's payment result, as the miniapp gets it. */
export interface Completion extends Pair, PaymentResult {}

/** An event from the other side. */
export interface ReceivedEvent extends Pair {
  readonly event_type: string;
  readonly payload: JsonMembers;
}
