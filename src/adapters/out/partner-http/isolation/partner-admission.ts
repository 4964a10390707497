import type { Leg, Relay } from '../../../../domain/exchanges/exchange';
import { CallSlots, type ReservedSlot } from '../../../../domain/isolation/call-slots';
import type { Outcome } from '../../../../domain/isolation/circuit';
import { PartnerBusy } from '../../../../domain/isolation/partner-busy';
import type { EndpointCall, PartnerIsolation } from '../../../../domain/isolation/partner-isolation';
import type { PartnerSlots, WantedSlots } from '../../../../domain/isolation/partner-slots';
import type { Integration } from '../../../../domain/partners/integrations/integration';
import type { PartnerLeg } from '../../../../domain/partners/partner-errors';
import type { Clock } from '../../../../domain/shared/ports';
import { eventCalls } from '../events/event-calls';
import { exchangeCode, readUser, refreshTokens } from '../sso/host-app-calls';
import { createOrderPayment, readPaymentStatus } from '../payments/host-app-payment-calls';
import { getAuthToken } from '../sso/miniapp-calls';
import type { NoAnswer } from '../no-answer';
import type { PartnerRequest } from '../partner-call';

type UrlOf = PartnerRequest<never>['url'];

/** The URL of each step's call. */
const urls: readonly { readonly leg: PartnerLeg; readonly url: UrlOf }[] = [
  ...[exchangeCode, refreshTokens, readUser, createOrderPayment, readPaymentStatus, getAuthToken],
  ...Object.values(eventCalls),
];

/**
 * Reserves slots for the calls of an inbound call, and records in its trace when there is none. Source:
 * contract/partner-calls#saturated-and-failing-partners.
 */
export class PartnerAdmission implements PartnerSlots {
  constructor(private readonly deps: { readonly isolation: PartnerIsolation; readonly clock: Clock }) {}

  async take({ relay, integration, legs }: WantedSlots): Promise<CallSlots> {
    const calls: EndpointCall[] = [];
    for (const leg of legs) {
      const url = urlOf(leg)(integration);
      if (url !== undefined) calls.push(endpointCall(leg, integration, url));
    }
    return this.taken(relay, calls, integration.id);
  }

  /** Returns the slot that the relay already holds for the call, or reserves one. Throws PartnerBusy. */
  async slotFor(relay: Relay, call: EndpointCall, integrationId: string): Promise<CallSlot> {
    const held = relay.slots?.at(call);
    if (held) return new CallSlot(held, undefined, this.deps.isolation.now);
    const own = await this.taken(relay, [call], integrationId);
    return new CallSlot(own.at(call), own, this.deps.isolation.now);
  }

  private async taken(relay: Relay, calls: readonly EndpointCall[], integrationId: string): Promise<CallSlots> {
    const taken = await this.deps.isolation.admit(calls, integrationId);
    if (taken instanceof CallSlots) return taken;
    const busy = new PartnerBusy(taken.at, taken);
    relay.trace.leg(this.legNotSent(taken.at, busy));
    throw busy;
  }

  private legNotSent({ side, step }: PartnerLeg, { code, details: { cause } }: PartnerBusy): Leg {
    return { to: side, step, attempt: 1, startedAt: this.deps.clock.now(), ms: 0, errorCode: code, cause };
  }
}

/** The slot of one call, which may consist of several requests. */
export class CallSlot {
  constructor(
    private readonly slot: ReservedSlot | undefined,
    /** Present when the slot was reserved for this call only. */
    private readonly own: CallSlots | undefined,
    private readonly now: () => number,
  ) {}

  begin(): void {
    this.slot?.begin(this.now());
  }

  answered(status: number): void {
    this.slot?.ended(status === 429 || status >= 500 ? 'failed' : 'answered', this.now());
  }

  /** Reports that no answer arrived. */
  failed({ reason }: NoAnswer): void {
    this.slot?.ended(outcomeOf(reason), this.now());
  }

  /** Frees the slot after success. After a failure the inbound call may need it again, and releases it itself. */
  close(wentWell: boolean): void {
    if (this.own) this.own.release();
    else if (wentWell) this.slot?.leave(this.now());
  }
}

/** The circuit's outcome. `undefined` when the service's own rules ended the call, which says nothing about the partner. */
function outcomeOf(reason: NoAnswer['reason']): Outcome | undefined {
  if (reason === 'timeout' || reason === 'connect-timeout') return 'timed-out';
  if (reason === 'too-large') return 'too-large';
  return inconclusive.includes(reason) ? undefined : 'failed';
}

const inconclusive: readonly NoAnswer['reason'][] = ['denied-address', 'redirect'];

const urlOf = (leg: PartnerLeg): UrlOf =>
  urls.find((one) => one.leg.step === leg.step && one.leg.side === leg.side)?.url ?? (() => undefined);

export const endpointCall = ({ side, step }: PartnerLeg, { hostApp, miniapp }: Integration, url: string): EndpointCall => ({
  side,
  step,
  partnerId: side === 'hostapp' ? hostApp.id : miniapp.id,
  url,
});
