import { type FieldProblem, InvalidInput } from '../shared/errors';
import type { IdSource } from '../shared/ports';
import { same } from '../shared/same';
import { agreementEntry, changeTo, type AgreementEntryDeps } from './agreement-entry';
import type { Agreement, IntegrationSettings } from './integration';
import type { ChangeOrigin } from './partner-draft';
import type { AgreementKey, AgreementRepository } from './ports';
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

export interface IntegratePartnersDeps extends AgreementEntryDeps {
  readonly agreements: AgreementRepository;
  readonly ids: IdSource;
}

/** Sets the agreement between a host app and a miniapp, new or in place of the present one. Throws InvalidInput and UnknownPartner. */
export class IntegratePartners {
  constructor(private readonly deps: IntegratePartnersDeps) {}

  async execute(command: IntegratePartnersCommand): Promise<{ agreement: Agreement; created: boolean }> {
    const { key, settings, problems } = command;
    if (problems.length > 0) throw new InvalidInput(problems);
    const id = this.deps.ids.next();
    let created = false;
    const agreement = await this.deps.agreements.put(key, id, (present) => {
      command.precondition?.(present?.version);
      created = !present;
      if (present && same(present.settings, settings)) return undefined;
      const proposal = settings.status === 'proposed' ? present?.proposal : undefined;
      const { id: kept, version } = present ?? { id, version: 0 };
      const after = { id: kept, ...key, version: version + 1, settings, ...(proposal && { proposal }) };
      return changeTo(after, this.deps, { what: present ? 'changed' : 'created', origin: command, before: present });
    });
    return { agreement, created };
  }
}

/** Ends the agreement between two partners. Throws UnknownAgreement. */
export class EndIntegration {
  constructor(private readonly deps: Omit<IntegratePartnersDeps, 'ids'>) {}

  async execute(command: EndIntegrationCommand): Promise<void> {
    const { key } = command;
    const ended = await this.deps.agreements.remove(key, (before) => agreementEntry(this.deps, command, { what: 'removed', key, before }));
    if (!ended) throw new UnknownAgreement();
  }
}
