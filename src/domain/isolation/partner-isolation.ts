import type { PartnerLeg } from '../partners/partner-errors';
import type { Step } from '../shared/errors';
import { CallSlots, ReservedSlot } from './call-slots';
import { PartnerEndpoint, type CircuitChange, type EndpointName, type EndpointRefusal, type Trial } from './endpoint';

/** Maximum concurrent calls to partners of one process, limited by the memory and sockets that each needs. */
export const processSlots = {
  shared: 1024,
  /** Additional slots, so that an endpoint that answers still gets some when hanging endpoints hold all others. */
  reserve: 512,
} as const;

/** A call that is about to be sent. */
export interface EndpointCall extends EndpointName {
  readonly url: string;
}

/** The reason for which no slot was taken, and the endpoint. */
export interface IsolationRefusal extends EndpointRefusal {
  readonly at: EndpointName;
}

interface Deps {
  /** Maximum share of the process's slots for one endpoint: above 0, 1 at most. */
  readonly share: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Default: `processSlots`. */
  readonly slots?: { readonly shared: number; readonly reserve: number };
}

/** Resolves to 0 if this process may try the half-open circuit; otherwise to the milliseconds until it may ask again. */
type ClaimTrial = (circuit: Trial['of']) => Promise<number>;

/** An endpoint with calls in flight or an open circuit. */
export type EndpointFigures = EndpointName & Pick<PartnerEndpoint, 'held'> & { readonly endpoint: PartnerEndpoint };

/**
 * Bulkheads and circuit breakers of one process: limits the calls to each partner. A refusal is immediate; nothing queues.
 *
 * An endpoint takes a further slot while it holds less than a fixed proportion of the free slots (dynamic thresholds, after Choudhury and
 * Hahne): alone, it reaches its share of the process, and the more endpoints hang, the fewer slots each of them gets. The reserve serves
 * calls of integrations that hold few slots, when no others are free.
 */
export class PartnerIsolation {
  private readonly endpoints = {
    hostapp: new Map<string, Map<Step, PartnerEndpoint>>(),
    miniapp: new Map<string, Map<Step, PartnerEndpoint>>(),
  };
  private readonly slots: NonNullable<Deps['slots']>;
  private readonly perFreeSlot: number;
  private inFlight = 0;
  private changed: (change: CircuitChange) => void = () => undefined;
  private claim: ClaimTrial = () => Promise.resolve(0);
  private readonly refused = new Map<string, { readonly at: EndpointName; readonly cause: EndpointRefusal['cause']; count: number }>();

  constructor(private readonly deps: Deps) {
    this.slots = deps.slots ?? processSlots;
    this.perFreeSlot = deps.share >= 1 ? Infinity : deps.share / (1 - deps.share);
  }

  /** Milliseconds of a monotonic clock. */
  get now(): () => number {
    return this.deps.now;
  }

  /** Number of inbound calls that hold slots; at most the number of slots, including the reserve. */
  get calls(): number {
    return this.inFlight;
  }

  /** As `take`, but claims the trial of a half-open circuit first, so that only one process tries it. */
  async admit(calls: readonly EndpointCall[], integrationId: string): Promise<CallSlots | IsolationRefusal> {
    const taken = this.take(calls, integrationId);
    if (!(taken instanceof CallSlots)) return taken;
    for (const { circuit, of } of taken.unclaimed()) {
      const waitMs = await this.claim(of);
      const now = this.deps.now();
      if (waitMs === 0) circuit.claim(now);
      else {
        taken.release();
        circuit.extend(now, Math.max(waitMs, minWaitMs));
        // The circuit is open now, so most calls are refused; a first call of its integration may still pass.
        return this.admit(calls, integrationId);
      }
    }
    return taken;
  }

  /** Takes a slot for each of these calls: all or none. */
  take(calls: readonly EndpointCall[], integrationId: string): CallSlots | IsolationRefusal {
    const now = this.deps.now();
    const { shared, reserve } = this.slots;
    const free = shared - this.inFlight;
    const hasReserve = free + reserve > 0;
    const endpoints = calls.map((call) => this.endpointOf(call));
    for (const endpoint of endpoints) {
      const slots = free > 0 ? this.perFreeSlot * free - endpoint.held : 0;
      const refusal = endpoint.refuses(integrationId, { slots, hasReserve }, now);
      if (refusal) return this.refusal(refusal, endpoint.name);
    }
    const left = this.enter(endpoints.length);
    const held = endpoints.map((endpoint) => new ReservedSlot(endpoint, endpoint.enter(integrationId, now), now, left));
    return new CallSlots(held, this.deps.now);
  }

  /** `onChange` is called for every circuit that this process opens or closes; `claim` decides on trials. */
  subscribe(onChange: (change: CircuitChange) => void, claim: ClaimTrial): void {
    this.changed = onChange;
    this.claim = claim;
  }

  /** Takes over a change from another process. */
  learn(change: CircuitChange): void {
    const known = this.endpoints[change.side].get(change.partnerId)?.get(change.step);
    if (!known && change.openMs === undefined) return;
    (known ?? this.endpointOf({ ...change, url: '' })).learn(change, this.deps.now());
  }

  /** Endpoints with slots in use or a circuit that is not closed. */
  inUse(): readonly PartnerEndpoint[] {
    return [...this.all()].filter(
      (endpoint) => endpoint.held > 0 || endpoint.state(this.deps.now()) !== 'closed' || endpoint.openFor().length > 0,
    );
  }

  /** Number of endpoints with a circuit that is not closed, by side and step; 0 for a step that was called before. */
  openCircuits(): readonly (PartnerLeg & { readonly count: number })[] {
    const counts = new Map<string, PartnerLeg & { count: number }>();
    for (const endpoint of this.all()) {
      const { side, step } = endpoint.name;
      const key = `${side} ${step}`;
      const counted = counts.get(key) ?? { side, step, count: 0 };
      if (endpoint.state(this.deps.now()) !== 'closed' || endpoint.openFor().length > 0) counted.count++;
      counts.set(key, counted);
    }
    return [...counts.values()];
  }

  /** Calls refused since the start, by step and cause. */
  refusals(): readonly { readonly at: EndpointName; readonly cause: EndpointRefusal['cause']; readonly count: number }[] {
    return [...this.refused.values()];
  }

  /** Counts an inbound call until it has released all its slots. */
  private enter(slots: number): () => void {
    if (slots > 0) this.inFlight++;
    let held = slots;
    return () => {
      if (--held === 0) this.inFlight--;
    };
  }

  private refusal(refusal: EndpointRefusal, at: EndpointName): IsolationRefusal {
    const key = `${at.side} ${at.step} ${refusal.cause}`;
    const counted = this.refused.get(key);
    if (counted) counted.count++;
    else this.refused.set(key, { at, cause: refusal.cause, count: 1 });
    return { ...refusal, at };
  }

  private endpointOf({ side, partnerId, step, url }: EndpointCall): PartnerEndpoint {
    let ofPartner = this.endpoints[side].get(partnerId);
    if (!ofPartner) this.endpoints[side].set(partnerId, (ofPartner = new Map<Step, PartnerEndpoint>()));
    let endpoint = ofPartner.get(step);
    if (!endpoint) {
      endpoint = new PartnerEndpoint({ side, partnerId, step }, url, (change) => this.changed(change));
      ofPartner.set(step, endpoint);
    }
    endpoint.at(url);
    return endpoint;
  }

  private *all(): Iterable<PartnerEndpoint> {
    for (const side of [this.endpoints.hostapp, this.endpoints.miniapp]) for (const ofPartner of side.values()) yield* ofPartner.values();
  }
}

/** Minimum milliseconds between two claims of the same trial. */
const minWaitMs = 100;
