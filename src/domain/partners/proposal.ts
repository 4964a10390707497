import type { Role } from '../accounts/viewer';
import { DomainError } from '../shared/errors';
import type { Agreement, Proposal } from './integration';
import { idName, type PartnerKind } from './registry-errors';

/** How many proposals of one partner may wait for an answer, and how many characters the word with one may have. */
export const proposalRules = { mostOpen: 10, noteLength: 500 } as const;

/** The limit, a minute and partner, on attempts to propose. */
export const proposalLimit = 'proposal';

export const otherKind = { 'host-app': 'miniapp', miniapp: 'host-app' } as const satisfies Record<PartnerKind, PartnerKind>;
const words = { 'host-app': 'host app', miniapp: 'miniapp' } as const;

/** Whether one partner has proposed it, and the other has not accepted: until then neither sees the other's settings. */
export const isUndecided = ({ settings, proposal }: Agreement): boolean => settings.status === 'proposed' && proposal !== undefined;

const conflicts = {
  integrated: 'the two are integrated already',
  suspended: 'the integration is suspended: the operator decides',
  declined: 'the other side has declined; it can still accept',
  'proposed-by-other-side': 'the other side has proposed it: accept that',
  'proposed-by-operator': 'the operator has proposed it, and decides',
  'too-many-open': `${String(proposalRules.mostOpen)} proposals wait for an answer: withdraw one first`,
} as const;

/** It cannot be proposed, decided or withdrawn as things stand; `details.fields` names why. */
export class ProposalConflict extends DomainError {
  constructor(cause: keyof typeof conflicts) {
    const fields = [{ path: 'proposal', rule: conflicts[cause], cause }];
    super('conflict', 'INVALID_INPUT', `Not possible: ${conflicts[cause]}`, { fields, side: 'platform' });
  }
}

/** There is no such partner, or it takes no proposals: nobody learns which. */
export class NoSuchCounterpart extends DomainError {
  constructor(kind: PartnerKind) {
    const code = kind === 'host-app' ? 'HOSTAPP_NOT_FOUND' : 'MINIAPP_NOT_FOUND';
    super('invalid', code, `No ${words[kind]} with this ${idName[kind]} takes proposals`, { side: 'platform' });
  }
}

/** Who proposes does not decide, and who decides does not withdraw. */
export class NotYoursToDecide extends DomainError {
  constructor() {
    super('forbidden', 'ACCESS_DENIED', 'One side proposes and withdraws, the other accepts or declines', { side: 'platform' });
  }
}

/** What a partner has put before the other. Throws ProposalConflict where nothing is: it is integrated, or the operator proposes. */
export function proposalOf({ settings: { status }, proposal }: Agreement): Proposal {
  if (status === 'accepted') throw new ProposalConflict('integrated');
  if (status === 'suspended') throw new ProposalConflict('suspended');
  if (!proposal) throw new ProposalConflict('proposed-by-operator');
  return proposal;
}

/** Throws NotYoursToDecide unless it is the other side that decides, or the operator. */
export function requireDecider({ by }: Proposal, who: Role): void {
  if (who === by) throw new NotYoursToDecide();
}

/** Throws NotYoursToDecide unless it is the one that proposed, or the operator. */
export function requireProposer({ by }: Proposal, who: Role): void {
  if (who !== by && who !== 'operator') throw new NotYoursToDecide();
}
