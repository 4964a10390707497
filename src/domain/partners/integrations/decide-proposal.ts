import type { Role } from '../../accounts/viewer';
import type { IdGenerator } from '../../shared/ports';
import { integrationEntry, changeTo, type IntegrationEntryDeps } from './integration-entry';
import type { IntegrationRecord } from './integration';
import type { ChangeOrigin } from '../partner-draft';
import type { IntegrationChange, IntegrationKey, IntegrationRepository } from '../ports';
import { ProposalConflict, proposalOf, requireDecider, requireProposer } from './proposal';
import { UnknownIntegration } from '../registry-errors';

export interface DecideProposalCommand extends ChangeOrigin {
  readonly key: IntegrationKey;
  readonly who: Role;
  /** Checks the stored version; throws to refuse the decision. */
  readonly precondition?: (version: number | undefined) => void;
}

interface Deps extends IntegrationEntryDeps {
  readonly integrations: IntegrationRepository;
  readonly ids: IdGenerator;
}

/**
 * Accepts or declines a proposal, for the other side or the operator; the same decision again changes nothing. Throws UnknownIntegration,
 * ProposalConflict, NotYoursToDecide.
 */
export class DecideProposal {
  constructor(private readonly deps: Deps) {}

  /**
   * Accepts a proposal, even one that was declined before. From now on calls between the two partners are relayed; the integration is in
   * test.
   */
  accept(command: DecideProposalCommand): Promise<IntegrationRecord> {
    return this.decide(command, (present) => {
      if (present.settings.status === 'accepted') return undefined;
      const isOperators = present.settings.status === 'proposed' && !present.proposal && command.who === 'operator';
      if (!isOperators) requireDecider(proposalOf(present), command.who);
      const { proposal: _decided, ...rest } = present;
      const after = { ...rest, version: present.version + 1, settings: { ...present.settings, status: 'accepted' as const } };
      return changeTo(after, this.deps, { what: 'accepted', origin: command, before: present });
    });
  }

  /** Declines a proposal. It stays stored, so that it cannot be proposed again. */
  decline(command: DecideProposalCommand): Promise<IntegrationRecord> {
    return this.decide(command, (present) => {
      const proposal = proposalOf(present);
      requireDecider(proposal, command.who);
      if (proposal.declinedAt !== undefined) return undefined;
      const after = { ...present, version: present.version + 1, proposal: { ...proposal, declinedAt: this.deps.clock.now() } };
      return changeTo(after, this.deps, { what: 'declined', origin: command, before: present });
    });
  }

  private async decide(
    command: DecideProposalCommand,
    changeFor: (present: IntegrationRecord) => IntegrationChange | undefined,
  ): Promise<IntegrationRecord> {
    const { key, precondition } = command;
    // Checked first, because `put` throws UnknownPartner, which would reveal whether an unrelated partner exists.
    if (!(await this.deps.integrations.find(key))) throw new UnknownIntegration();
    return this.deps.integrations.put(key, this.deps.ids.next(), (present) => {
      if (!present) throw new UnknownIntegration();
      const change = changeFor(present);
      if (change) precondition?.(present.version);
      return change;
    });
  }
}

/**
 * Withdraws a proposal, for the side that proposed it or the operator; the proposer cannot withdraw a declined one. Throws
 * UnknownIntegration, ProposalConflict, NotYoursToDecide.
 */
export class WithdrawProposal {
  constructor(private readonly deps: Omit<Deps, 'ids'>) {}

  async execute(command: Omit<DecideProposalCommand, 'precondition'>): Promise<void> {
    const { key, who } = command;
    const withdrawn = await this.deps.integrations.remove(key, (before) => {
      const proposal = proposalOf(before);
      requireProposer(proposal, who);
      if (proposal.declinedAt !== undefined && who !== 'operator') throw new ProposalConflict('declined');
      return integrationEntry(this.deps, command, { what: 'withdrawn', key, before });
    });
    if (!withdrawn) throw new UnknownIntegration();
  }
}
