import { type FieldProblem, InvalidInput } from '../shared/errors';
import type { IdSource } from '../shared/ports';
import { same } from '../shared/same';
import { eventCheckProblems } from './event-checks';
import { agreementEntry, changeTo, type AgreementEntryDeps } from './agreement-entry';
import type { Agreement, IntegrationSettings } from './integration';
import type { ChangeOrigin } from './partner-draft';
import type { AgreementKey, AgreementRepository, HostAppRepository, MiniappRepository } from './ports';
import { StaleVersion, UnknownAgreement } from './registry-errors';

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
  readonly hostApps: Pick<HostAppRepository, 'find'>;
  readonly miniapps: Pick<MiniappRepository, 'find'>;
  readonly ids: IdSource;
}

/** Sets the agreement between a host app and a miniapp, new or in place of the present one. Throws InvalidInput and UnknownPartner. */
export class IntegratePartners {
  constructor(private readonly deps: IntegratePartnersDeps) {}

  async execute(command: IntegratePartnersCommand): Promise<{ agreement: Agreement; created: boolean }> {
    const { key, settings } = command;
    await requireSound(command, this.deps);
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

/** A change of some settings of an agreement that is there. */
export interface ChangeIntegrationCommand extends Omit<IntegratePartnersCommand, 'settings' | 'problems'> {
  /** The wanted settings, made of the present ones. */
  readonly edit: (present: IntegrationSettings) => Pick<IntegratePartnersCommand, 'settings' | 'problems'>;
}

/** Changes settings of an agreement; what changes nothing leaves no trace. Throws InvalidInput, UnknownAgreement and StaleVersion. */
export class ChangeIntegration {
  constructor(private readonly deps: IntegratePartnersDeps) {}

  async execute(command: ChangeIntegrationCommand): Promise<Agreement> {
    const { key } = command;
    const found = await this.deps.agreements.find(key);
    if (!found) throw new UnknownAgreement();
    command.precondition?.(found.version);
    const { settings, problems } = command.edit(found.settings);
    await requireSound({ key, settings, problems }, this.deps);
    return this.deps.agreements.put(key, this.deps.ids.next(), (present) => {
      if (!present) throw new UnknownAgreement();
      if (same(present.settings, settings)) return undefined;
      if (present.version !== found.version) throw new StaleVersion();
      const after = { ...present, version: present.version + 1, settings };
      return changeTo(after, this.deps, { what: 'changed', origin: command, before: present });
    });
  }
}

/** Throws InvalidInput with the problems that the reader of the settings found, or that the two apps rule out together. */
async function requireSound(
  { key, settings, problems }: Pick<IntegratePartnersCommand, 'key' | 'settings' | 'problems'>,
  { hostApps, miniapps }: Pick<IntegratePartnersDeps, 'hostApps' | 'miniapps'>,
): Promise<void> {
  if (problems.length > 0) throw new InvalidInput(problems);
  const [hostApp, miniapp] = await Promise.all([hostApps.find(key.clientId), miniapps.find(key.appId)]);
  const wrong = hostApp && miniapp ? eventCheckProblems(settings.hostAppEventsCheckedBy, { hostApp, miniapp }) : [];
  if (wrong.length > 0) throw new InvalidInput(wrong);
}

/** Ends the agreement between two partners. Throws UnknownAgreement. */
export class EndIntegration {
  constructor(private readonly deps: Pick<IntegratePartnersDeps, 'agreements' | 'clock' | 'describe'>) {}

  async execute(command: EndIntegrationCommand): Promise<void> {
    const { key } = command;
    const ended = await this.deps.agreements.remove(key, (before) => agreementEntry(this.deps, command, { what: 'removed', key, before }));
    if (!ended) throw new UnknownAgreement();
  }
}
