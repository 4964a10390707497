import { type FieldProblem, InvalidInput } from '../../shared/errors';
import type { IdGenerator } from '../../shared/ports';
import { same } from '../../shared/same';
import { eventCheckProblems } from '../event-checks';
import { integrationEntry, changeTo, type IntegrationEntryDeps } from './integration-entry';
import type { IntegrationRecord, IntegrationSettings } from './integration';
import type { ChangeOrigin } from '../partner-draft';
import type { IntegrationKey, IntegrationRepository, HostAppRepository, MiniappRepository } from '../ports';
import { StaleVersion, UnknownIntegration } from '../registry-errors';

export interface IntegratePartnersCommand extends ChangeOrigin {
  readonly key: IntegrationKey;
  readonly settings: IntegrationSettings;
  /** Problems found when the settings were read. */
  readonly problems: readonly FieldProblem[];
  /** Checks the stored version (`undefined` for a new integration); throws to refuse the change. */
  readonly precondition?: (version: number | undefined) => void;
}

export interface EndIntegrationCommand extends ChangeOrigin {
  readonly key: IntegrationKey;
}

export interface IntegratePartnersDeps extends IntegrationEntryDeps {
  readonly integrations: IntegrationRepository;
  readonly hostApps: Pick<HostAppRepository, 'find'>;
  readonly miniapps: Pick<MiniappRepository, 'find'>;
  readonly ids: IdGenerator;
}

/** Creates or replaces the integration between a host app and a miniapp. Throws InvalidInput and UnknownPartner. */
export class IntegratePartners {
  constructor(private readonly deps: IntegratePartnersDeps) {}

  async execute(command: IntegratePartnersCommand): Promise<{ integrationRecord: IntegrationRecord; created: boolean }> {
    const { key, settings } = command;
    await requireValid(command, this.deps);
    const id = this.deps.ids.next();
    let created = false;
    const integrationRecord = await this.deps.integrations.put(key, id, (present) => {
      command.precondition?.(present?.version);
      created = !present;
      if (present && same(present.settings, settings)) return undefined;
      const proposal = settings.status === 'proposed' ? present?.proposal : undefined;
      const { id: kept, version } = present ?? { id, version: 0 };
      const after = { id: kept, ...key, version: version + 1, settings, ...(proposal && { proposal }) };
      return changeTo(after, this.deps, { what: present ? 'changed' : 'created', origin: command, before: present });
    });
    return { integrationRecord, created };
  }
}

/** A change of some settings of an existing integration. */
export interface ChangeIntegrationCommand extends Omit<IntegratePartnersCommand, 'settings' | 'problems'> {
  /** Makes the wanted settings from the stored ones. */
  readonly edit: (present: IntegrationSettings) => Pick<IntegratePartnersCommand, 'settings' | 'problems'>;
}

/**
 * Changes settings of an integration; a change without an effect writes nothing. Throws InvalidInput, UnknownIntegration and StaleVersion.
 */
export class ChangeIntegration {
  constructor(private readonly deps: IntegratePartnersDeps) {}

  async execute(command: ChangeIntegrationCommand): Promise<IntegrationRecord> {
    const { key } = command;
    const found = await this.deps.integrations.find(key);
    if (!found) throw new UnknownIntegration();
    command.precondition?.(found.version);
    const { settings, problems } = command.edit(found.settings);
    await requireValid({ key, settings, problems }, this.deps);
    return this.deps.integrations.put(key, this.deps.ids.next(), (present) => {
      if (!present) throw new UnknownIntegration();
      if (same(present.settings, settings)) return undefined;
      if (present.version !== found.version) throw new StaleVersion();
      const after = { ...present, version: present.version + 1, settings };
      return changeTo(after, this.deps, { what: 'changed', origin: command, before: present });
    });
  }
}

/** Throws InvalidInput with the problems found when the settings were read, or with those that the two apps' settings cause together. */
async function requireValid(
  { key, settings, problems }: Pick<IntegratePartnersCommand, 'key' | 'settings' | 'problems'>,
  { hostApps, miniapps }: Pick<IntegratePartnersDeps, 'hostApps' | 'miniapps'>,
): Promise<void> {
  if (problems.length > 0) throw new InvalidInput(problems);
  const [hostApp, miniapp] = await Promise.all([hostApps.find(key.clientId), miniapps.find(key.appId)]);
  const wrong = hostApp && miniapp ? eventCheckProblems(settings.hostAppEventsCheckedBy, { hostApp, miniapp }) : [];
  if (wrong.length > 0) throw new InvalidInput(wrong);
}

/** Removes the integration between two partners. Throws UnknownIntegration. */
export class EndIntegration {
  constructor(private readonly deps: Pick<IntegratePartnersDeps, 'integrations' | 'clock' | 'describe'>) {}

  async execute(command: EndIntegrationCommand): Promise<void> {
    const { key } = command;
    const ended = await this.deps.integrations.remove(key, (before) =>
      integrationEntry(this.deps, command, { what: 'removed', key, before }),
    );
    if (!ended) throw new UnknownIntegration();
  }
}
