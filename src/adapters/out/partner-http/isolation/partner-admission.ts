import type { Leg, Relay } from '../../../../domain/exchanges/exchange';
import { CallPlaces, type HeldPlace } from '../../../../domain/isolation/call-places';
import type { Outcome } from '../../../../domain/isolation/circuit';
import { PartnerBusy } from '../../../../domain/isolation/partner-busy';
import type { EndpointCall, PartnerIsolation } from '../../../../domain/isolation/partner-isolation';
import type { PartnerPlaces, WantedPlaces } from '../../../../domain/isolation/places';
import type { Integration } from '../../../../domain/partners/integration';
import type { PartnerLeg } from '../../../../domain/partners/partner-errors';
import type { Clock } from '../../../../domain/shared/ports';
import { eventCalls } from '../event-calls';
import { exchangeCode, readUser, refreshTokens } from '../host-app-calls';
import { createOrderPayment, readPaymentStatus } from '../host-app-payment-calls';
import { getAuthToken } from '../miniapp-calls';
import type { NoAnswer } from '../no-answer';
import type { PartnerRequest } from '../partner-call';

type UrlOf = PartnerRequest<never>['url'];

/** Where the call of each step goes. */
const urls: readonly { readonly leg: PartnerLeg; readonly url: UrlOf }[] = [
  ...[exchangeCode, refreshTokens, readUser, createOrderPayment, readPaymentStatus, getAuthToken],
  ...Object.values(eventCalls),
];

/** Takes places for the calls of an inbound call, and says so in its trace where it cannot. Source: contract/partner-calls#saturated-and-failing-partners. */
export class PartnerAdmission implements PartnerPlaces {
  constructor(private readonly deps: { readonly isolation: PartnerIsolation; readonly clock: Clock }) {}

  async take({ relay, integration, legs }: WantedPlaces): Promise<CallPlaces> {
    const calls: EndpointCall[] = [];
    for (const leg of legs) {
      const url = urlOf(leg)(integration);
      if (url !== undefined) calls.push(endpointCall(leg, integration, url));
    }
    return this.taken(relay, calls, integration.id);
  }

  /** For one call: the place that the relay holds for it already, else one of its own. Throws PartnerBusy. */
  async placeFor(relay: Relay, call: EndpointCall, integrationId: string): Promise<PlaceOfCall> {
    const held = relay.places?.at(call);
    if (held) return new PlaceOfCall(held, undefined, this.deps.isolation.now);
    const own = await this.taken(relay, [call], integrationId);
    return new PlaceOfCall(own.at(call), own, this.deps.isolation.now);
  }

  private async taken(relay: Relay, calls: readonly EndpointCall[], integrationId: string): Promise<CallPlaces> {
    const taken = await this.deps.isolation.admit(calls, integrationId);
    if (taken instanceof CallPlaces) return taken;
    const busy = new PartnerBusy(taken.at, taken);
    relay.trace.leg(this.legNotSent(taken.at, busy));
    throw busy;
  }

  private legNotSent({ side, step }: PartnerLeg, { code, details: { cause } }: PartnerBusy): Leg {
    return { to: side, step, attempt: 1, startedAt: this.deps.clock.now(), ms: 0, errorCode: code, cause };
  }
}

/** The place of one call, which may be several requests. */
export class PlaceOfCall {
  constructor(
    private readonly place: HeldPlace | undefined,
    /** Present: the place was taken for this call alone. */
    private readonly own: CallPlaces | undefined,
    private readonly now: () => number,
  ) {}

  begin(): void {
    this.place?.begin(this.now());
  }

  answered(status: number): void {
    this.place?.ended(status === 429 || status >= 500 ? 'failed' : 'answered', this.now());
  }

  /** No answer came. */
  failed({ reason }: NoAnswer): void {
    this.place?.ended(outcomeOf(reason), this.now());
  }

  /** The call went well: its place is free for others. After a failure the inbound call may still need it, and gives it back itself. */
  close(wentWell: boolean): void {
    if (this.own) this.own.release();
    else if (wentWell) this.place?.leave(this.now());
  }
}

/** `undefined`: an end that our own rules have made; the partner is there. */
function outcomeOf(reason: NoAnswer['reason']): Outcome | undefined {
  if (reason === 'timeout' || reason === 'connect-timeout') return 'timed-out';
  return saysNothing.includes(reason) ? undefined : 'failed';
}

const saysNothing: readonly NoAnswer['reason'][] = ['denied-address', 'too-large', 'headers-too-large', 'redirect'];

const urlOf = (leg: PartnerLeg): UrlOf =>
  urls.find((one) => one.leg.step === leg.step && one.leg.side === leg.side)?.url ?? (() => undefined);

export const endpointCall = ({ side, step }: PartnerLeg, { hostApp, miniapp }: Integration, url: string): EndpointCall => ({
  side,
  step,
  partnerId: side === 'hostapp' ? hostApp.id : miniapp.id,
  url,
});
