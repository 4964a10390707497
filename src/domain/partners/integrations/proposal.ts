import type { Role } from '../../accounts/viewer';
import { DomainError } from '../../shared/errors';
import type { IntegrationRecord, Proposal } from './integration';
import { idName, type PartnerKind } from '../registry-errors';

/** Maximum number of open proposals per partner, and of characters in a proposal's note. */
export const proposalRules = { maxOpen: 10, noteLength: 500 } as const;

/** The name of the rate limit on proposals, per minute and partner. */
export const proposalLimit = 'proposal';

export const otherKind = { 'host-app': 'miniapp', miniapp: 'host-app' } as const satisfies Record<PartnerKind, PartnerKind>;
const words = { 'host-app': 'host app', miniapp: 'miniapp' } as const;

/** Whether a partner's proposal is not accepted: until then neither partner sees the other's settings. */
export const isUndecided = ({ settings, proposal }: IntegrationRecord): boolean => settings.status === 'proposed' && proposal !== undefined;

const conflicts = {
  integrated: 'the two are integrated already',
  suspended: 'the integration is suspended: the operator decides',
  declined: 'the other side has declined; it can still accept',
  'proposed-by-other-side': 'the other side has proposed it: accept that',
  'proposed-by-operator': 'the operator has proposed it, and decides',
  'too-many-open': `${String(proposalRules.maxOpen)} proposals wait for an answer: withdraw one first`,
} as const;

/** Thrown when the integration's state allows no proposal, decision or withdrawal; `details.fields` names the reason. */
export class ProposalConflict extends DomainError {
  constructor(cause: keyof typeof conflicts) {
    const fields = [{ path: 'proposal', rule: conflicts[cause], cause }];
    super('conflict', 'INVALID_INPUT', `Not possible: ${conflicts[cause]}`, { fields, side: 'platform' });
  }
}

/** Thrown when there is no such partner, or it takes no proposals: the error does not reveal which. */
export class NoSuchCounterpart extends DomainError {
  constructor(kind: PartnerKind) {
    const code = kind === 'host-app' ? 'HOSTAPP_NOT_FOUND' : 'MINIAPP_NOT_FOUND';
    super('not-found', code, `No ${words[kind]} with this ${idName[kind]} takes proposals`, { side: 'platform' });
  }
}

/** The side that proposes cannot decide, and the side that decides cannot withdraw. */
export class NotYoursToDecide extends DomainError {
  constructor() {
    super('forbidden', 'ACCESS_DENIED', 'One side proposes and withdraws, the other accepts or declines', { side: 'platform' });
  }
}

/**
 * Returns the proposal of a partner. Throws ProposalConflict where there is none: the partners are integrated, or the operator proposes.
 */
export function proposalOf({ settings: { status }, proposal }: IntegrationRecord): Proposal {
  if (status === 'accepted') throw new ProposalConflict('integrated');
  if (status === 'suspended') throw new ProposalConflict('suspended');
  if (!proposal) throw new ProposalConflict('proposed-by-operator');
  return proposal;
}

/** Throws NotYoursToDecide unless `who` is the other side or the operator. */
export function requireDecider({ by }: Proposal, who: Role): void {
  if (who === by) throw new NotYoursToDecide();
}

/** Throws NotYoursToDecide unless `who` is the side that proposed or the operator. */
export function requireProposer({ by }: Proposal, who: Role): void {
  if (who !== by && who !== 'operator') throw new NotYoursToDecide();
}
