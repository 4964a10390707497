import type { ChangeOrigin } from '../partners/partner-draft';
import type { AuditEntry } from '../partners/ports';
import type { Clock } from '../shared/ports';
import type { UserKey } from './ports';

/** How much was removed of one user. Nothing, where there was none: then or now. */
export interface Removed {
  /** The user as the host app told of them: 1, or 0. */
  readonly users: number;
  readonly tokens: number;
  readonly consents: number;
  /** Entries of the consent ledger. */
  readonly consentEntries: number;
  /** Payments that are kept without what told of the user. */
  readonly payments: number;
  /** Miniapps' reports of transactions that are kept so. */
  readonly reports: number;
  /** Deliveries that had ended. */
  readonly deliveries: number;
  /** Deliveries that are still owed: they are made, and go when they have ended. */
  readonly owedDeliveries: number;
}

/** Where everything about one user is removed from. */
export interface UserErasure {
  /**
   * Removes tokens, user data and consents; payments and reports of transactions stay, without what tells of the user. What it
   * broke off in it goes on with when it is asked again. Committed with its audit row in the end; `alias` stands for the
   * user in it: a keyed digest, the same each time, that tells nothing to who does not hold the key.
   */
  erase(user: UserKey, audit: (removed: Removed, alias: string) => AuditEntry): Promise<Removed>;
}

export type EraseUserCommand = ChangeOrigin & UserKey;

/** Forgets a user of a host app, at the operator's word. One who is not known leaves the same trace as one who was forgotten before. */
export class EraseUser {
  constructor(
    private readonly deps: {
      readonly erasure: UserErasure;
      readonly clock: Clock;
      /** How the numbers are shown in the audit trail. */
      readonly describe: (removed: Removed) => unknown;
    },
  ) {}

  execute({ clientId, reference, actor, requestId }: EraseUserCommand): Promise<Removed> {
    const { erasure, clock, describe } = this.deps;
    const at = clock.now();
    return erasure.erase({ clientId, reference }, (removed, alias) => {
      return { actor, action: 'user.erased', subject: `user:${clientId}/${alias}`, after: describe(removed), requestId, at };
    });
  }
}
