import type { JsonObject } from '../domain/shared/json';

/** Which of the two kinds of partner is driven. */
export type Role = 'miniapp' | 'host-app';

/** What can be asked of a partner, by the step that asks it (contract/conventions#error-body). */
export type Asked =
  | { readonly kind: 'exchange'; readonly authCode: string }
  | { readonly kind: 'refresh'; readonly refreshToken: string }
  | { readonly kind: 'user_data'; readonly userToken: string }
  | { readonly kind: 'create'; readonly order: JsonObject; readonly once: string; readonly user?: AskingUser | undefined }
  | { readonly kind: 'status'; readonly orderPaymentId: string; readonly user?: AskingUser | undefined }
  | { readonly kind: 'miniapp_token'; readonly facts: JsonObject }
  | AskedWebhook
  | { readonly kind: 'event'; readonly eventType: string; readonly payload: JsonObject };

/** How a payment ended, to the miniapp. */
export interface AskedWebhook {
  readonly kind: 'webhook';
  /** The `webhook-id`. */
  readonly deliveryId: string;
  readonly orderPaymentId: string;
  readonly word: 'paid' | 'cancelled' | 'failed';
  readonly failReason?: string | undefined;
  readonly customAttributes?: JsonObject | undefined;
}

/** The user in whose name a payment call is made. */
export interface AskingUser {
  readonly reference: string;
  readonly accessToken: string;
}

export type CallKind = Asked['kind'];

/** One request, as it is about to be sent. */
export interface Draft {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
}

/** An answer, or a silence. */
export interface Outcome {
  /** The HTTP status; 0: no answer came. */
  readonly status: number;
  /** Why no answer came, in words; absent where one did. */
  readonly silence?: string | undefined;
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly retryAfter: string;
  readonly body: Uint8Array;
  readonly ms: number;
  /** The call went over the connection of the one before. */
  readonly reused: boolean;
}

/** The requests that the service makes, by the code that makes them in production. */
export interface Requests {
  /** The URL of a call; `undefined`: none is set up. */
  urlOf(kind: CallKind): string | undefined;
  /** All but the credentials. */
  draft(asked: Asked): Draft;
  /** The headers that prove a draft to be the service's, or a stranger's, who has other secrets and keys. */
  prove(asked: Asked, draft: Draft, as: 'platform' | 'stranger'): Promise<Readonly<Record<string, string>>>;
  /** Why the service could not use the answer, in its own words; `undefined`: it would take it. */
  problem(asked: Asked, outcome: Outcome): string | undefined;
}

/** How a request is put on the wire otherwise than at once and on a connection of its own. */
export interface Sending {
  readonly deadlineMs: number;
  /** The body leaves in so many pieces, with a pause between them. */
  readonly pieces?: number | undefined;
}

/** Sends requests as they are. Never throws: what goes wrong is a silence. */
export interface Wire {
  send(request: Draft, sending: Sending): Promise<Outcome>;
  /** One after the other over one connection, as long as the partner keeps it. */
  sendInRow(requests: readonly Draft[], sending: Sending): Promise<readonly Outcome[]>;
}
