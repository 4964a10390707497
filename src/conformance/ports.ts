import type { JsonObject } from '../domain/shared/json';

/** The kind of partner under test. */
export type Role = 'miniapp' | 'host-app';

/** Input of a call to a partner, by step (contract/conventions#error-body). */
export type CallInput =
  | { readonly kind: 'exchange'; readonly authCode: string }
  | { readonly kind: 'refresh'; readonly refreshToken: string }
  | { readonly kind: 'user_data'; readonly userToken: string }
  | { readonly kind: 'create'; readonly order: JsonObject; readonly once: string; readonly user?: CallUser | undefined }
  | { readonly kind: 'status'; readonly orderPaymentId: string; readonly user?: CallUser | undefined }
  | { readonly kind: 'miniapp_token'; readonly userData: JsonObject }
  | WebhookCall
  | { readonly kind: 'event'; readonly eventType: string; readonly payload: JsonObject };

/** A payment result for the miniapp. */
export interface WebhookCall {
  readonly kind: 'webhook';
  /** The `webhook-id` header. */
  readonly deliveryId: string;
  readonly orderPaymentId: string;
  readonly word: 'paid' | 'cancelled' | 'failed';
  readonly failReason?: string | undefined;
  readonly customAttributes?: JsonObject | undefined;
}

/** The user of a payment call. */
export interface CallUser {
  readonly reference: string;
  readonly accessToken: string;
}

export type CallKind = CallInput['kind'];

/** A request before it is sent. */
export interface Draft {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
}

/** The answer to a request, or why there was none. */
export interface Outcome {
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Why no answer came; absent when one came. */
  readonly silence?: string | undefined;
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly retryAfter: string;
  readonly body: Uint8Array;
  readonly ms: number;
  /** Whether the call reused the previous connection. */
  readonly reused: boolean;
}

/** Builds the service's requests with the production code. */
export interface Requests {
  /** The URL of a call; `undefined` when none is set up. */
  urlOf(kind: CallKind): string | undefined;
  /** A request without credentials. */
  draft(call: CallInput): Promise<Draft>;
  /** Headers that authenticate a draft as the service, or as a stranger with other secrets and keys. */
  prove(call: CallInput, draft: Draft, as: 'platform' | 'stranger'): Promise<Readonly<Record<string, string>>>;
  /** Why the service would reject the answer, in its own words; `undefined` when it accepts it. */
  problem(call: CallInput, outcome: Outcome): Promise<string | undefined>;
}

/** Options for sending. By default the body goes out at once, on a new connection. */
export interface Sending {
  readonly deadlineMs: number;
  /** Number of pieces in which the body is sent, with a pause between them. */
  readonly pieces?: number | undefined;
}

/** Sends requests unchanged. Never throws: a failure is reported as `silence`. */
export interface Transport {
  send(request: Draft, sending: Sending): Promise<Outcome>;
  /** Sends requests one after the other over one connection, as long as the partner keeps it open. */
  sendInRow(requests: readonly Draft[], sending: Sending): Promise<readonly Outcome[]>;
}
