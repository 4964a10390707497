import { type FieldProblem, InvalidInput } from '../shared/errors';
import type { Clock, IdSource } from '../shared/ports';
import { same } from '../shared/same';
import type { Agreement, IntegrationSettings } from './integration';
import type { ChangeOrigin } from './partner-draft';
import type { AgreementKey, AgreementRepository, AuditEntry } from './ports';
import { UnknownAgreement } from './registry-errors';

export interface IntegratePartnersCommand extends ChangeOrigin {
  readonly key: AgreementKey;
  readonly settings: IntegrationSettings;
  /** What the one who read the settings found wrong with them. */
  readonly problems: readonly FieldProblem[];
  /** Whether the change may be made to this version (`undefined`: there is none yet); throws where not. */
  readonly precondition?: (version: number | undefined) => void;
}

export interface EndIntegrationCommand extends ChangeOrigin {
  readonly key: AgreementKey;
}

interface Deps {
  readonly agreements: AgreementRepository;
  readonly ids: IdSource;
  readonly clock: Clock;
  /** How an agreement is shown in the audit trail. */
  readonly describe: (agreement: Agreement) => unknown;
}

/** Sets the agreement between a host app and a miniapp, new or in place of the present one. Throws InvalidInput and UnknownPartner. */
export class IntegratePartners {
  constructor(private readonly deps: Deps) {}

  async execute(command: IntegratePartnersCommand): Promise<{ agreement: Agreement; created: boolean }> {
    const { key, settings, problems } = command;
    if (problems.length > 0) throw new InvalidInput(problems);
    const id = this.deps.ids.next();
    let created = false;
    const agreement = await this.deps.agreements.put(key, id, (present) => {
      command.precondition?.(present?.version);
      created = !present;
      if (present && same(present.settings, settings)) return undefined;
      const after = present ? { ...present, version: present.version + 1, settings } : { id, ...key, version: 1, settings };
      return { settings, audit: entry(this.deps, command, { what: present ? 'changed' : 'created', key, before: present, after }) };
    });
    return { agreement, created };
  }
}

/** Ends the agreement between two partners. Throws UnknownAgreement. */
export class EndIntegration {
  constructor(private readonly deps: Omit<Deps, 'ids'>) {}

  async execute(command: EndIntegrationCommand): Promise<void> {
    const before = await this.deps.agreements.find(command.key);
    const ended =
      before && (await this.deps.agreements.remove(command.key, entry(this.deps, command, { what: 'removed', key: before, before })));
    if (!ended) throw new UnknownAgreement();
  }
}

function entry(
  { clock, describe }: Pick<Deps, 'clock' | 'describe'>,
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
