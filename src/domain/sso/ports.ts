import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integration';
import type { JsonObject } from '../shared/json';
import type { Secret } from '../shared/secret';
import type { FlightFailure } from '../shared/single-flight';
import type { ConsentEntry, ConsentKey } from './consent';
import type { TokenPair, UserTokens } from './tokens';
import type { UserData } from './user-data';

/** Consent to a miniapp that a sign-on itself gives, for its user at its time. It says nothing of fields or of a text version. */
export type ConsentBySignOn = Pick<ConsentEntry, 'integrationId' | 'call' | 'requestId'>;

/** What one sign-on leaves behind; committed together or not at all. */
export interface SignOn {
  /** The host app's Client ID. */
  readonly clientId: string;
  readonly user: UserData;
  /** Recorded, with an entry in the ledger, only where consent does not stand; absent: consent is not touched. */
  readonly consent?: ConsentBySignOn | undefined;
  /** Replaces the stored tokens of the user; absent: they stay. */
  readonly tokens?: UserTokens | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Where host apps' users are kept. A user is known by (Client ID, reference). */
export interface UserRepository {
  /** Stores or replaces the user, with consent and tokens. */
  store(signOn: SignOn): Promise<void>;
  find(clientId: string, reference: string): Promise<UserData | undefined>;
}

/** A user of a host app. */
export interface UserKey {
  /** The host app's Client ID. */
  readonly clientId: string;
  /** The user's reference at the host app. */
  readonly reference: string;
}

/** A user's tokens as they lie in the store. */
export interface StoredTokens extends UserTokens {
  /** Another one after every sign-on and every refresh. */
  readonly version: string;
  /** The refresh of these tokens that failed last, if one did. */
  readonly failedRun?: string | undefined;
}

/** The tokens that the host app did not take, as they were read before the call. */
export type RefusedTokens = Pick<StoredTokens, 'version' | 'failedRun'>;

/** What an attempt to refresh finds. `lease` names one run of it. */
export type RefreshState =
  | { readonly state: 'claimed'; readonly lease: string; readonly tokens: StoredTokens }
  | { readonly state: 'running' }
  | { readonly state: 'failed'; readonly failure: FlightFailure }
  | { readonly state: 'renewed'; readonly tokens: StoredTokens };

/**
 * The stored tokens of users, as all instances see them. No transaction, lock or connection is held between the calls. A
 * sign-on (UserRepository.store) replaces the tokens whatever runs, and ends every run.
 */
export interface UserTokenStore {
  find(key: UserKey): Promise<StoredTokens | undefined>;
  /**
   * Claims the refresh of the refused tokens for `leaseMs`. `renewed`: others are stored by now. `running`: somebody's lease
   * holds. `failed`: a run ended without new tokens after `refused` was read. Of many at once exactly one claims; a lease that
   * ran out is taken over. `undefined`: there are no tokens any more.
   */
  claimRefresh(key: UserKey, refused: RefusedTokens, leaseMs: number): Promise<RefreshState | undefined>;
  /** Replaces the tokens of `version`. False: the run `lease` was taken over or ended, or a sign-on came; nothing is stored. */
  renew(key: UserKey, run: { readonly lease: string; readonly version: string }, tokens: UserTokens): Promise<boolean>;
  /** Ends the run `lease` without new tokens, and tells those who wait for it. */
  failRefresh(key: UserKey, lease: string, failure: FlightFailure): Promise<void>;
}

/** Who consented to what. */
export interface ConsentLedger {
  isGranted(key: ConsentKey): Promise<boolean>;
  /** Sets the present state, and appends to the ledger where that changes state, fields or text version. */
  record(entry: ConsentEntry): Promise<void>;
  /** All entries of the user, oldest first. */
  entries(key: ConsentKey): Promise<readonly ConsentEntry[]>;
}

/** What we ask of a host app's back end to sign a user on. Fails only with the partner-* kinds and EndpointNotSet. */
export interface HostAppSignOnGateway {
  exchangeCode(relay: Relay, integration: Integration, authCode: Secret): Promise<UserTokens>;
  /** The answer's refresh token is absent where the host app gives no new one: the old one stays. */
  refresh(relay: Relay, integration: Integration, refreshToken: Secret): Promise<UserTokens>;
  /** Throws UserTokenRejected where the host app does not take the token. `attempt`: 1, or 2 after a refresh. */
  userData(relay: Relay, integration: Integration, accessToken: Secret, attempt: number): Promise<UserData>;
}

/** What we ask of a miniapp's back end to sign a user on. Fails only with the partner-* kinds and EndpointNotSet. */
export interface MiniappSignOnGateway {
  authToken(relay: Relay, integration: Integration, user: UserData): Promise<TokenPair>;
}

/** A session at the miniapp for facts that name no reference (contract/sign-on#partner-login). Fails as MiniappSignOnGateway. */
export interface MiniappLoginGateway {
  /** The facts are posted as they are, members in order. */
  login(relay: Relay, integration: Integration, facts: JsonObject): Promise<TokenPair>;
}
