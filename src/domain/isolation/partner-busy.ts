import type { PartnerLeg } from '../partners/partner-errors';
import { DomainError, type ErrorDetails } from '../shared/errors';
import type { EndpointRefusal } from './endpoint';

const messages: Readonly<Record<EndpointRefusal['cause'], string>> = {
  'partner-saturated': 'As many calls to this partner are in flight as there may be; nothing was sent. Try again soon',
  'circuit-open': 'This partner has not answered lately, so nothing was sent to it. Try again later',
};

/**
 * Thrown before anything is sent: the partner's slots are taken, or its circuit is open. Source:
 * contract/partner-calls#saturated-and-failing-partners.
 */
export class PartnerBusy extends DomainError {
  constructor({ side, step }: PartnerLeg, { cause, waitMs }: EndpointRefusal) {
    const details = { side, step, cause, retryable: true, retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) };
    super('partner-unreachable', 'UNEXPECTED_RESPONSE_ERROR', messages[cause], details);
  }
}

/** Whether a failure is a PartnerBusy, even one shared from another call of the same work. */
export const isPartnerBusy = ({ details: { cause } }: { readonly details: ErrorDetails }): boolean =>
  cause !== undefined && Object.hasOwn(messages, cause);
