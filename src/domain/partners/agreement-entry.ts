import type { Clock } from '../shared/ports';
import type { Agreement } from './integration';
import type { ChangeOrigin } from './partner-draft';
import type { AgreementChange, AgreementKey, AuditEntry } from './ports';

export interface AgreementEntryDeps {
  readonly clock: Clock;
  /** How an agreement is shown in the audit trail. */
  readonly describe: (agreement: Agreement) => unknown;
}

/** One row of the audit trail about an integration. `what` completes the action: `created`, `proposed`, `accepted`, … */
export function agreementEntry(
  { clock, describe }: AgreementEntryDeps,
  { actor, requestId }: ChangeOrigin,
  { what, key, before, after }: { what: string; key: AgreementKey; before?: Agreement | undefined; after?: Agreement | undefined },
): AuditEntry {
  return {
    actor,
    action: `integration.${what}`,
    subject: `integration:${key.clientId}/${key.appId}`,
    ...(before && { before: describe(before) }),
    ...(after && { after: describe(after) }),
    requestId,
    at: clock.now(),
  };
}

/** What makes `before` into `after`, with its row of the audit trail. */
export function changeTo(
  after: Agreement,
  deps: AgreementEntryDeps,
  { what, origin, before }: { what: string; origin: ChangeOrigin; before?: Agreement | undefined },
): AgreementChange {
  const audit = agreementEntry(deps, origin, { what, key: after, before, after });
  return { settings: after.settings, proposal: after.proposal, audit };
}
