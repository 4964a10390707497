import type { SignatureSettings } from '../domain/credentials/signature-settings';
import type { JsonObject } from '../domain/shared/json';
import type { CallKind, Role } from './ports';

/** What a run knows of the partner that it drives. */
export interface Facts {
  readonly role: Role;
  /** The ids of the integration: one is the partner's own, the other that of its counterpart. */
  readonly clientId: string;
  readonly appId: string;
  /** What stands in the way of each call that goes out without a token of a user. */
  readonly proof: 'basic' | 'signature' | 'client-token';
  readonly signature: SignatureSettings;
  /** The whole Authorization value of Basic; absent: the settings hold no secret for it. */
  readonly basic?: string | undefined;
  /** The word before a user access token. */
  readonly accessTokenPrefix: string;
  /** Payment calls carry the token of a user. */
  readonly usesAccessToken: boolean;
  readonly clientToken?: { readonly url: string; readonly basic: string } | undefined;
  /** How long a call may take, in milliseconds. */
  readonly deadlineMs: (kind: CallKind) => number;
  /** The user data that a miniapp needs: `reference`, and its required_user_fields. */
  readonly neededUserFields: readonly string[];
  readonly test: TestData;
}

/** What only the partner can say: whom and what its test environment knows. */
export interface TestData {
  /** Good once each; taken from the front. */
  readonly authCodes: readonly string[];
  /** Gives a new auth code, as `auth_code`, for each POST of the body. */
  readonly authCodeSource?: { readonly url: string; readonly body: JsonObject; readonly expiredBody?: JsonObject | undefined } | undefined;
  readonly expiredAuthCode?: string | undefined;
  /** A user whom a miniapp signs on. */
  readonly user: JsonObject;
  /** An order that the host app opens a payment for. */
  readonly order: JsonObject;
  readonly views: Views;
}

/** Where the partner shows what it has kept, as JSON, by GET; `{order_payment_id}` and `{event_id}` are filled in. */
export interface Views {
  /** Of a host app: a payment, its amount in it. */
  readonly payment?: string | undefined;
  /** Of a miniapp: an order payment, with `payment_status` and its `custom_attributes`. */
  readonly order?: string | undefined;
  /** Of either: the events that it received. */
  readonly events?: string | undefined;
}
