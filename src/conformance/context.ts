import type { SignatureSettings } from '../domain/credentials/signing/signature-settings';
import type { JsonObject } from '../domain/shared/json';
import type { CallKind, Role } from './ports';

/** The context of a conformance run: roles, ids, settings and test data of the partner. */
export interface ConformanceContext {
  readonly role: Role;
  /** Ids of the integration: the partner's own, and its counterpart's. */
  readonly clientId: string;
  readonly appId: string;
  /** How calls without a user's token are authenticated. */
  readonly proof: 'basic' | 'signature' | 'client-token';
  readonly signature: SignatureSettings;
  /** The complete Authorization value for Basic. Absent when the settings hold no secret. */
  readonly basic?: string | undefined;
  /** The scheme word before a user's access token. */
  readonly accessTokenPrefix: string;
  /** Whether payment calls carry a user's token. */
  readonly usesAccessToken: boolean;
  readonly clientToken?: { readonly url: string; readonly basic: string } | undefined;
  /** Time limit of a call in milliseconds. */
  readonly deadlineMs: (kind: CallKind) => number;
  /** User data that the miniapp needs: `reference`, and its required_user_fields. */
  readonly neededUserFields: readonly string[];
  readonly test: TestData;
}

/** Data that only the partner can provide: users and orders of its test environment. */
export interface TestData {
  /** Each works once; taken from the front. */
  readonly authCodes: readonly string[];
  /** Returns a new auth code, as `auth_code`, for each POST of the body. */
  readonly authCodeSource?: { readonly url: string; readonly body: JsonObject; readonly expiredBody?: JsonObject | undefined } | undefined;
  readonly expiredAuthCode?: string | undefined;
  /** A user for sign-on at a miniapp. */
  readonly user: JsonObject;
  /** An order for a payment at the host app. */
  readonly order: JsonObject;
  readonly views: Views;
}

/** URLs where the partner shows its stored data as JSON, by GET. `{order_payment_id}` and `{event_id}` are replaced. */
export interface Views {
  /** Host app: a payment with its amount. */
  readonly payment?: string | undefined;
  /** Miniapp: an order payment with `payment_status` and its `custom_attributes`. */
  readonly order?: string | undefined;
  /** Both: the received events. */
  readonly events?: string | undefined;
}
