import type { Clock } from '../../shared/ports';
import type { IntegrationRecord } from './integration';
import type { ChangeOrigin } from '../partner-draft';
import type { IntegrationChange, IntegrationKey, AuditEntry } from '../ports';

export interface IntegrationEntryDeps {
  readonly clock: Clock;
  /** Formats an integration for the audit trail. */
  readonly describe: (integrationRecord: IntegrationRecord) => unknown;
}

/** Makes an audit row about an integration. `what` completes the action: `created`, `proposed`, `accepted`, … */
export function integrationEntry(
  { clock, describe }: IntegrationEntryDeps,
  { actor, requestId }: ChangeOrigin,
  {
    what,
    key,
    before,
    after,
  }: { what: string; key: IntegrationKey; before?: IntegrationRecord | undefined; after?: IntegrationRecord | undefined },
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

/** The change that replaces `before` by `after`, with its audit row. */
export function changeTo(
  after: IntegrationRecord,
  deps: IntegrationEntryDeps,
  { what, origin, before }: { what: string; origin: ChangeOrigin; before?: IntegrationRecord | undefined },
): IntegrationChange {
  const audit = integrationEntry(deps, origin, { what, key: after, before, after });
  return { settings: after.settings, proposal: after.proposal, audit };
}
