import type { RateLimiter } from '../../credentials/ports';
import type { IdGenerator } from '../../shared/ports';
import { same } from '../../shared/same';
import { changeTo, type IntegrationEntryDeps } from './integration-entry';
import type { FeatureSwitches } from '../features';
import { type IntegrationRecord, defaultIntegrationSettings, type Proposal } from './integration';
import type { ChangeOrigin } from '../partner-draft';
import type { IntegrationChange, IntegrationKey, IntegrationRepository, HostAppRepository, MiniappRepository } from '../ports';
import { NoSuchCounterpart, otherKind, ProposalConflict, proposalLimit, proposalOf, proposalRules } from './proposal';
import { type PartnerKind, UnknownPartner } from '../registry-errors';

export interface ProposeIntegrationCommand extends ChangeOrigin {
  readonly key: IntegrationKey;
  /** The side that proposes. */
  readonly by: PartnerKind;
  readonly features: FeatureSwitches;
  readonly note?: string | undefined;
}

export interface ProposeIntegrationDeps extends IntegrationEntryDeps {
  readonly integrations: IntegrationRepository;
  readonly hostApps: Pick<HostAppRepository, 'find'>;
  readonly miniapps: Pick<MiniappRepository, 'find'>;
  readonly limiter: RateLimiter;
  readonly ids: IdGenerator;
}

/**
 * Proposes an integration to another partner, whose id the caller must know. A repeat changes the open proposal, or nothing. Throws
 * NoSuchCounterpart, ProposalConflict, RATE_LIMITED (by proposing partner).
 */
export class ProposeIntegration {
  constructor(private readonly deps: ProposeIntegrationDeps) {}

  async execute(command: ProposeIntegrationCommand): Promise<{ integrationRecord: IntegrationRecord; created: boolean }> {
    const { key, by } = command;
    await this.deps.limiter.count({ limit: proposalLimit, subject: `${by}:${by === 'host-app' ? key.clientId : key.appId}` });
    const other = otherKind[by];
    // Checked before anything is locked, so that the time taken does not reveal whether a partner exists or just takes no proposals.
    if (!(await this.deps.integrations.find(key)) && !(await this.isWilling(other, key))) throw new NoSuchCounterpart(other);
    const id = this.deps.ids.next();
    let created = false;
    const change = (present: IntegrationRecord | undefined, open: number): IntegrationChange | undefined => {
      created = !present;
      return present ? this.again(present, command) : this.anew(id, command, open);
    };
    try {
      return { integrationRecord: await this.deps.integrations.propose(key, id, { by, change }), created };
    } catch (error) {
      if (error instanceof UnknownPartner && error.partner === other) throw new NoSuchCounterpart(other);
      throw error;
    }
  }

  private async isWilling(kind: PartnerKind, { clientId, appId }: IntegrationKey): Promise<boolean> {
    const { hostApps, miniapps } = this.deps;
    const partner = kind === 'host-app' ? await hostApps.find(clientId) : await miniapps.find(appId);
    return partner?.settings.takesProposals === true;
  }

  private anew(id: string, command: ProposeIntegrationCommand, open: number): IntegrationChange {
    if (open >= proposalRules.maxOpen) throw new ProposalConflict('too-many-open');
    const settings = { ...defaultIntegrationSettings, features: command.features };
    const after = { id, ...command.key, version: 1, settings, proposal: this.made(command) };
    return changeTo(after, this.deps, { what: 'proposed', origin: command });
  }

  private again(present: IntegrationRecord, command: ProposeIntegrationCommand): IntegrationChange | undefined {
    const { by, declinedAt, at, note } = proposalOf(present);
    if (by !== command.by) throw new ProposalConflict('proposed-by-other-side');
    if (declinedAt !== undefined) throw new ProposalConflict('declined');
    if (note === command.note && same(present.settings.features, command.features)) return undefined;
    const settings = { ...present.settings, features: command.features };
    const after = { ...present, version: present.version + 1, settings, proposal: { ...this.made(command), at } };
    return changeTo(after, this.deps, { what: 'proposed', origin: command, before: present });
  }

  private made({ by, note }: ProposeIntegrationCommand): Proposal {
    return { by, at: this.deps.clock.now(), ...(note !== undefined && { note }) };
  }
}
