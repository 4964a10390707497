import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integration';
import type { Secret } from '../shared/secret';
import type { ConsentEntry, ConsentKey } from './consent';
import type { TokenPair, UserTokens } from './tokens';
import type { UserData } from './user-data';

/** What one sign-on leaves behind; committed together or not at all. */
export interface SignOn {
  /** The host app's Client ID. */
  readonly clientId: string;
  readonly user: UserData;
  /** Recorded in the ledger only where it changes what is known; absent: consent is not touched. */
  readonly consent?: ConsentEntry | undefined;
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
  tokens(clientId: string, reference: string): Promise<UserTokens | undefined>;
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
