import type { Exchange, Leg } from '../../../domain/exchanges/exchange';
import { catalogue } from '../../../domain/shared/error-catalogue';
import { Durations } from './durations';
import { IntegrationSlots } from './integration-slots';
import { definitionOf } from './metric-catalogue';
import type { Sample } from './sample';
import { Counts, Timings } from './tally';

interface IntegrationCounts {
  readonly outcomes: Map<string, number>;
  readonly durations: Durations;
}

const { edgesMs: integrationEdges = [] } = definitionOf('pierhead_integration_request_duration_seconds');

/** Counts ended calls in plain numbers, which become samples only at a scrape. */
export class CallCounts {
  private readonly requests = new Counts('pierhead_requests_total');
  private readonly durations = new Timings('pierhead_request_duration_seconds');
  private readonly errors = new Counts('pierhead_errors_total');
  private readonly checks = new Counts('pierhead_checks_refused_total');
  private readonly partnerCalls = new Counts('pierhead_partner_calls_total');
  private readonly unanswered = new Counts('pierhead_partner_calls_unanswered_total');
  private readonly partnerDurations = new Timings('pierhead_partner_call_duration_seconds');
  private readonly refreshes = new Counts('pierhead_token_refreshes_total');
  private readonly integrations: IntegrationSlots<IntegrationCounts>;

  /** `integrations`: the maximum number of integrations with their own series. */
  constructor(integrations: number) {
    this.integrations = new IntegrationSlots(integrations, () => ({ outcomes: new Map(), durations: new Durations(integrationEdges) }));
  }

  /** Counts a sent answer. `status` 0: the caller had disconnected before. */
  request(call: string | undefined, status: number, ms: number): void {
    const name = call ?? 'other';
    this.requests.add(name, status === 0 ? 'aborted' : String(status));
    this.durations.add(ms, name);
  }

  /** Counts an ended relay. */
  exchange({ clientId, appId, at, ms, status, errorCode, failedSide, refused, checks, legs }: Exchange): void {
    if (errorCode !== undefined) this.errors.add(Object.hasOwn(catalogue, errorCode) ? errorCode : 'partner');
    if (refused) this.checks.add(refused.check, refused.of);
    if (clientId === undefined || appId === undefined) return;
    const isKnown = status < 400 || legs.length > 0 || checks.length > 0;
    const { outcomes, durations } = this.integrations.of({ clientId, appId, isKnown, at });
    const outcome = status < 400 ? 'ok' : (failedSide ?? (status >= 500 ? 'platform' : 'caller'));
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    durations.add(ms);
  }

  /** Counts an ended call to a partner. */
  leg({ to, step, ms, status, errorCode, cause }: Leg): void {
    const failed = status === undefined ? 'unanswered' : 'failed';
    const outcome = errorCode === undefined ? 'ok' : failed;
    this.partnerCalls.add(to, step, outcome);
    this.partnerDurations.add(ms, to, step);
    if (outcome === 'unanswered' && cause !== undefined) this.unanswered.add(to, cause);
    if (step === 'refresh') this.refreshes.add('user', outcome);
    if (step === 'client_token') this.refreshes.add('service', outcome);
  }

  samples(): readonly Sample[] {
    const { requests, durations, errors, checks, partnerCalls, unanswered, partnerDurations, refreshes } = this;
    const counted = [requests, durations, errors, checks, partnerCalls, unanswered, partnerDurations, refreshes];
    return [...counted.map((one) => one.sample()), ...this.integrationSamples()];
  }

  private integrationSamples(): readonly Sample[] {
    const slots = [...this.integrations.slots()];
    const outcomes = slots.flatMap(({ clientId, appId, counted }) =>
      [...counted.outcomes].map(([outcome, count]) => ({ labels: [clientId, appId, outcome], values: [count] })),
    );
    const durations = slots.map(({ clientId, appId, counted }) => ({ labels: [clientId, appId], values: counted.durations.values() }));
    return [
      { name: 'pierhead_integration_requests_total', series: outcomes },
      { name: 'pierhead_integration_request_duration_seconds', series: durations },
    ];
  }
}
