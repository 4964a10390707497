import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integrations/integration';
import type { JsonObject } from '../shared/json';
import type { Secret } from '../shared/secret';
import type { SharedTaskFailure } from '../shared/tasks/single-flight';
import type { ConsentEntry, ConsentKey } from './consent';
import type { TokenPair, UserTokens } from './tokens';
import type { UserData, UserKey } from './user-data';

/** Consent that a sign-on itself gives, for its user and at its time, without fields or text version. */
export type ConsentBySignOn = Pick<ConsentEntry, 'integrationId' | 'call' | 'requestId'>;

/** The data of one sign-on; committed together or not at all. */
export interface SignOn {
  /** The host app's Client ID. */
  readonly clientId: string;
  readonly user: UserData;
  /** Recorded, with a consent entry, only where the user has no consent yet. Absent: consent is not changed. */
  readonly consent?: ConsentBySignOn | undefined;
  /** Replaces the stored tokens of the user. Absent: they stay. */
  readonly tokens?: UserTokens | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Stores users of host apps. A user is identified by (Client ID, reference). */
export interface UserRepository {
  /** Stores or replaces the user, with consent and tokens. */
  store(signOn: SignOn): Promise<void>;
  find(clientId: string, reference: string): Promise<UserData | undefined>;
}

/** A user's stored tokens. */
export interface StoredTokens extends UserTokens {
  /** Changes with every sign-on and every refresh. */
  readonly version: string;
  /** The last failed refresh of these tokens. Absent when none failed. */
  readonly failedRun?: string | undefined;
}

/** The tokens that the host app rejected, as they were read before the call. */
export type RefusedTokens = Pick<StoredTokens, 'version' | 'failedRun'>;

/** The result of claiming a refresh. `lease` identifies this refresh. */
export type RefreshState =
  | { readonly state: 'claimed'; readonly lease: string; readonly tokens: StoredTokens }
  | { readonly state: 'running' }
  | { readonly state: 'failed'; readonly failure: SharedTaskFailure }
  | { readonly state: 'renewed'; readonly tokens: StoredTokens };

/**
 * The stored tokens of users, shared by all instances. No transaction, lock or connection is held between the calls. A sign-on
 * (UserRepository.store) replaces the tokens at any time, and ends every refresh.
 */
export interface UserTokenStore {
  find(key: UserKey): Promise<StoredTokens | undefined>;
  /**
   * Claims the refresh of the refused tokens for `leaseMs`. `renewed`: other tokens are stored by now. `running`: another caller holds the
   * lease. `failed`: a refresh failed after `refused` was read. Of concurrent callers exactly one gets the claim; an expired lease is
   * taken over. `undefined`: the tokens no longer exist.
   */
  claimRefresh(key: UserKey, refused: RefusedTokens, leaseMs: number): Promise<RefreshState | undefined>;
  /**
   * Replaces the tokens of `version`. Resolves to false, and stores nothing, if the lease was taken over or ended, or the user signed on.
   */
  renew(key: UserKey, run: { readonly lease: string; readonly version: string }, tokens: UserTokens): Promise<boolean>;
  /** Ends the refresh `lease` without new tokens; waiting callers get `failure`. */
  failRefresh(key: UserKey, lease: string, failure: SharedTaskFailure): Promise<void>;
}

/** Stores users' consents. */
export interface ConsentRepository {
  isGranted(key: ConsentKey): Promise<boolean>;
  /** Stores the current consent, and appends an entry if it changes the state, fields or text version. */
  record(entry: ConsentEntry): Promise<void>;
  /** All entries of the user, oldest first. */
  entries(key: ConsentKey): Promise<readonly ConsentEntry[]>;
}

/** Calls a host app's back end for sign-on. Fails only with the partner-* kinds and EndpointNotSet. */
export interface HostAppSignOnGateway {
  exchangeCode(relay: Relay, integration: Integration, authCode: Secret): Promise<UserTokens>;
  /** The refresh token is absent from the result where the host app issues no new one: the old one stays. */
  refresh(relay: Relay, integration: Integration, refreshToken: Secret): Promise<UserTokens>;
  /** Throws UserTokenRejected where the host app rejects the token. `attempt`: 1, or 2 after a refresh. */
  userData(relay: Relay, integration: Integration, accessToken: Secret, attempt: number): Promise<UserData>;
}

/** Calls a miniapp's back end for sign-on. Fails only with the partner-* kinds and EndpointNotSet. */
export interface MiniappSignOnGateway {
  authToken(relay: Relay, integration: Integration, user: UserData): Promise<TokenPair>;
}

/** Opens a session at the miniapp for claims without a reference (contract/sign-on#partner-login). Fails as MiniappSignOnGateway. */
export interface MiniappLoginGateway {
  /** Posts the claims unchanged, with their members in order. */
  login(relay: Relay, integration: Integration, claims: JsonObject): Promise<TokenPair>;
}
