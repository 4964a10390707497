import type { Role } from '../accounts/viewer';
import type { IdSource } from '../shared/ports';
import { agreementEntry, changeTo, type AgreementEntryDeps } from './agreement-entry';
import type { Agreement } from './integration';
import type { ChangeOrigin } from './partner-draft';
import type { AgreementChange, AgreementKey, AgreementRepository } from './ports';
import { ProposalConflict, proposalOf, requireDecider, requireProposer } from './proposal';
import { UnknownAgreement } from './registry-errors';

export interface DecideProposalCommand extends ChangeOrigin {
  readonly key: AgreementKey;
  readonly who: Role;
  /** Throws where the decision is about another version. */
  readonly precondition?: (version: number | undefined) => void;
}

interface Deps extends AgreementEntryDeps {
  readonly agreements: AgreementRepository;
  readonly ids: IdSource;
}

/**
 * The other side, or the operator, answers a proposal; the same answer again changes nothing. Throws UnknownAgreement,
 * ProposalConflict, NotYoursToDecide.
 */
export class DecideProposal {
  constructor(private readonly deps: Deps) {}

  /** Calls between the two are served from now on, in test. A declined proposal can be accepted later. */
  accept(command: DecideProposalCommand): Promise<Agreement> {
    return this.decide(command, (present) => {
      if (present.settings.status === 'accepted') return undefined;
      const isOperators = present.settings.status === 'proposed' && !present.proposal && command.who === 'operator';
      if (!isOperators) requireDecider(proposalOf(present), command.who);
      const { proposal: _decided, ...rest } = present;
      const after = { ...rest, version: present.version + 1, settings: { ...present.settings, status: 'accepted' as const } };
      return changeTo(after, this.deps, { what: 'accepted', origin: command, before: present });
    });
  }

  /** It stays, so that it is not proposed again. */
  decline(command: DecideProposalCommand): Promise<Agreement> {
    return this.decide(command, (present) => {
      const proposal = proposalOf(present);
      requireDecider(proposal, command.who);
      if (proposal.declinedAt !== undefined) return undefined;
      const after = { ...present, version: present.version + 1, proposal: { ...proposal, declinedAt: this.deps.clock.now() } };
      return changeTo(after, this.deps, { what: 'declined', origin: command, before: present });
    });
  }

  private async decide(command: DecideProposalCommand, judge: (present: Agreement) => AgreementChange | undefined): Promise<Agreement> {
    const { key, precondition } = command;
    // Looked for first: whether a partner exists that one has nothing to do with is not told.
    if (!(await this.deps.agreements.find(key))) throw new UnknownAgreement();
    return this.deps.agreements.put(key, this.deps.ids.next(), (present) => {
      if (!present) throw new UnknownAgreement();
      const change = judge(present);
      if (change) precondition?.(present.version);
      return change;
    });
  }
}

/**
 * The one that proposed, or the operator, takes a proposal back; a declined one stays. Throws UnknownAgreement,
 * ProposalConflict, NotYoursToDecide.
 */
export class WithdrawProposal {
  constructor(private readonly deps: Omit<Deps, 'ids'>) {}

  async execute(command: Omit<DecideProposalCommand, 'precondition'>): Promise<void> {
    const { key, who } = command;
    const withdrawn = await this.deps.agreements.remove(key, (before) => {
      const proposal = proposalOf(before);
      requireProposer(proposal, who);
      if (proposal.declinedAt !== undefined && who !== 'operator') throw new ProposalConflict('declined');
      return agreementEntry(this.deps, command, { what: 'withdrawn', key, before });
    });
    if (!withdrawn) throw new UnknownAgreement();
  }
}
