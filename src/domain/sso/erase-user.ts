import type { ChangeOrigin } from '../partners/partner-draft';
import type { AuditEntry } from '../partners/ports';
import type { Clock } from '../shared/ports';
import type { UserKey } from './user-data';

/** How much data of a user was removed. All zero for an unknown user. */
export interface Removed {
  /** Number of user records: 1, or 0. */
  readonly users: number;
  readonly tokens: number;
  readonly consents: number;
  /** Entries of the consent records. */
  readonly consentEntries: number;
  /** Payments that are kept without their personal data. */
  readonly payments: number;
  /** Miniapps' transaction reports that are kept without their personal data. */
  readonly reports: number;
  /** Deliveries that had ended. */
  readonly deliveries: number;
  /** Deliveries that are still pending: they are still sent, and removed when they have ended. */
  readonly pendingDeliveries: number;
}

/** Removes all personal data of a user. */
export interface UserErasureRepository {
  /**
   * Removes tokens, user data and consents; payments and transaction reports stay, without personal data. An erasure that was interrupted
   * continues when it is requested again. Committed with its audit row in the end; `alias` replaces the user in it: a keyed digest, the
   * same each time, that reveals nothing without the key.
   */
  erase(user: UserKey, audit: (removed: Removed, alias: string) => AuditEntry): Promise<Removed>;
}

export type EraseUserCommand = ChangeOrigin & UserKey;

/** Erases a user of a host app at the operator's request. The audit row is the same for an unknown user and an already erased one. */
export class EraseUser {
  constructor(
    private readonly deps: {
      readonly erasure: UserErasureRepository;
      readonly clock: Clock;
      /** Formats the numbers for the audit trail. */
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
