import type { AuditEntry, PageRequest } from '../partners/ports';
import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';
import type { JsonObject } from '../shared/json';
import type { UserKey } from './ports';

/** How a user's consent stands toward one miniapp. */
export interface ConsentState {
  readonly appId: string;
  readonly granted: boolean;
  /** Absent: not said. */
  readonly fields?: readonly string[] | undefined;
  readonly textVersion?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A user of a host app as the operator sees them: nothing that tells who it is. */
export interface UserRecord {
  /** Stands for the reference: 64 hex digits that tell nothing. */
  readonly id: string;
  /** Where it stands in its list; a page goes on after `clientId/place`. */
  readonly place: string;
  readonly clientId: string;
  /** First and last two characters at most; none where it is unreadable. */
  readonly maskedReference: string;
  /** The stored reference does not open. */
  readonly isUnreadable?: true | undefined;
  /** Milliseconds since the epoch, both; absent: consent was said, and the user has not signed on. */
  readonly firstSignOnAt?: number | undefined;
  readonly lastSignOnAt?: number | undefined;
  /** That tokens are stored, since when (milliseconds since the epoch), and whether they can be refreshed; never a value. */
  readonly tokens?: { readonly at: number; readonly isRefreshable: boolean } | undefined;
  readonly consents: readonly ConsentState[];
}

/** Which users: of one host app, toward one of its miniapps, one by their reference. */
export interface UserFilter {
  readonly clientId?: string;
  /** With `clientId`: those who have said something about consent to this miniapp. */
  readonly appId?: string;
  readonly reference?: string;
}

export interface UserPage extends PageRequest {
  /** `clientId/place` of the last row before it. */
  readonly after?: string | undefined;
}

/** Payments, and reports, that one export holds at most. */
export const mostExported = 10_000;

/** Stored users. */
export interface UserBook {
  /** In no order that means anything, but always in the same. */
  list(filter: UserFilter, page: UserPage): Promise<readonly UserRecord[]>;
  /** The user behind an id; `undefined`: no user has signed on under it. */
  keyOf(clientId: string, id: string): Promise<UserKey | undefined>;
  /**
   * Everything that is stored of one user but secrets, as JSON; with its audit row. `alias` stands for the user in it, as in an
   * erasure. `undefined`, and no row: nothing is.
   */
  export(user: UserKey, audit: (alias: string) => AuditEntry): Promise<JsonObject | undefined>;
  /** Forgets the user's tokens: who pays with them must sign on anew. With its audit row. False: there were none. */
  revokeTokens(user: UserKey, audit: (alias: string) => AuditEntry): Promise<boolean>;
}

/** Nothing is stored of such a user. */
export class UnknownUser extends DomainError {
  constructor() {
    super('invalid', 'NOT_FOUND', catalogue.NOT_FOUND.meaning, { side: 'platform' });
  }
}
