import type { AuditEntry, PageRequest } from '../partners/ports';
import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';
import type { UserKey } from './user-data';

/** A user's consent to one miniapp. */
export interface ConsentState {
  readonly appId: string;
  readonly granted: boolean;
  /** Absent when the consent names no fields. */
  readonly fields?: readonly string[] | undefined;
  readonly textVersion?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A user of a host app as shown to the operator, without personal data. */
export interface UserRecord {
  /** Pseudonym of the reference: 64 hex digits that do not reveal it. The cursor of a page is `clientId/id`. */
  readonly id: string;
  readonly clientId: string;
  /** At most the first and last two characters; empty where the reference cannot be decrypted. */
  readonly maskedReference: string;
  /** Set when the stored reference cannot be decrypted. */
  readonly isUnreadable?: true | undefined;
  /** Both in milliseconds since the epoch. Absent when consent was stored, but the user has not signed on. */
  readonly firstSignOnAt?: number | undefined;
  readonly lastSignOnAt?: number | undefined;
  /** When the tokens were stored (milliseconds since the epoch) and whether they can be refreshed. Never holds a token. */
  readonly tokens?: { readonly at: number; readonly isRefreshable: boolean } | undefined;
  readonly consents: readonly ConsentState[];
}

/** Selects users of one host app, of one of its miniapps, or one user by reference. */
export interface UserFilter {
  readonly clientId?: string;
  /** With `clientId`: users with a stored consent decision for this miniapp. */
  readonly appId?: string;
  readonly reference?: string;
}

export interface UserPage extends PageRequest {
  /** `clientId/id` of the last row of the page before. */
  readonly after?: string | undefined;
}

/** Maximum number of payments, and of reports, in one export. */
export const maxExported = 10_000;

/** Reads stored users, exports their data and removes their tokens. */
export interface UserRecordRepository {
  /** In a stable order without meaning. */
  list(filter: UserFilter, page: UserPage): Promise<readonly UserRecord[]>;
  /** The user with this id. `undefined` when no user has signed on under it. */
  keyOf(clientId: string, id: string): Promise<UserKey | undefined>;
  /**
   * Everything stored of one user except secrets, as pieces of one JSON text; its audit row is written first. Rows are read while the
   * pieces are taken, which may fail at any of them. `alias` replaces the user in the row, as in an erasure. Resolves to `undefined`,
   * without a row, where nothing is stored.
   */
  export(user: UserKey, audit: (alias: string) => AuditEntry): Promise<AsyncIterable<string> | undefined>;
  /** Deletes the user's tokens, with an audit row; payments that need them then require a new sign-on. False where there were none. */
  revokeTokens(user: UserKey, audit: (alias: string) => AuditEntry): Promise<boolean>;
}

/** Thrown when nothing is stored of the user. */
export class UnknownUser extends DomainError {
  constructor() {
    super('not-found', 'NOT_FOUND', catalogue.NOT_FOUND.meaning, { side: 'platform' });
  }
}
