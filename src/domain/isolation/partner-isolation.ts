import type { PartnerLeg } from '../partners/partner-errors';
import type { Step } from '../shared/errors';
import { CallPlaces, HeldPlace } from './call-places';
import { PartnerEndpoint, type CircuitChange, type EndpointName, type EndpointRefusal, type Trial } from './endpoint';

/** Calls to partners that one process bears at once: by what each holds in memory, with its sockets. */
export const processPlaces = {
  shared: 1024,
  /** On top: where endpoints that hang hold all others, one that answers still has some. */
  reserve: 512,
} as const;

/** One call that is to be sent. */
export interface EndpointCall extends EndpointName {
  readonly url: string;
}

/** Why nothing was taken, and the endpoint. */
export interface IsolationRefusal extends EndpointRefusal {
  readonly at: EndpointName;
}

interface Deps {
  /** The share of a process that one endpoint may take: above 0, 1 at most. */
  readonly share: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** `processPlaces` unless given. */
  readonly places?: { readonly shared: number; readonly reserve: number };
}

/** Resolves to 0: this process may try the half-open circuit; else to the milliseconds after which it may ask again. */
type ClaimTrial = (circuit: Trial['of']) => Promise<number>;

/** An endpoint in use, or in trouble. */
export type EndpointFigures = EndpointName & Pick<PartnerEndpoint, 'held'> & { readonly endpoint: PartnerEndpoint };

/**
 * Bulkheads and circuit breakers of one process: which partner may have how many of its calls. A refusal is immediate;
 * nothing queues.
 *
 * An endpoint takes a further place while it holds less than a fixed part of the places that are still free (dynamic thresholds, after
 * Choudhury and Hahne): alone it comes to its share of the process, and the more endpoints hang, the fewer each of them gets. The
 * reserve is for calls of integrations that hold little, where nothing else is free.
 */
export class PartnerIsolation {
  private readonly endpoints = {
    hostapp: new Map<string, Map<Step, PartnerEndpoint>>(),
    miniapp: new Map<string, Map<Step, PartnerEndpoint>>(),
  };
  private readonly places: NonNullable<Deps['places']>;
  private readonly perFreePlace: number;
  private underWay = 0;
  private changed: (change: CircuitChange) => void = () => undefined;
  private claim: ClaimTrial = () => Promise.resolve(0);
  private readonly refused = new Map<string, { readonly at: EndpointName; readonly cause: EndpointRefusal['cause']; count: number }>();

  constructor(private readonly deps: Deps) {
    this.places = deps.places ?? processPlaces;
    this.perFreePlace = deps.share >= 1 ? Infinity : deps.share / (1 - deps.share);
  }

  /** Milliseconds of a monotonic clock. */
  get now(): () => number {
    return this.deps.now;
  }

  /** Inbound calls that hold places: no more than there are places, with the reserve. */
  get calls(): number {
    return this.underWay;
  }

  /** As `take`. A call that would try a half-open circuit does so where no other process does. */
  async admit(calls: readonly EndpointCall[], integrationId: string): Promise<CallPlaces | IsolationRefusal> {
    const taken = this.take(calls, integrationId);
    if (!(taken instanceof CallPlaces)) return taken;
    for (const { circuit, of } of taken.unclaimed()) {
      const waitMs = await this.claim(of);
      const now = this.deps.now();
      if (waitMs === 0) circuit.claim(now);
      else {
        taken.release();
        circuit.extend(now, Math.max(waitMs, leastWaitMs));
        // The circuit is open now: most calls are refused, but not one that may be a first call of its integration.
        return this.admit(calls, integrationId);
      }
    }
    return taken;
  }

  /** Takes a place for each of these calls, all or none. */
  take(calls: readonly EndpointCall[], integrationId: string): CallPlaces | IsolationRefusal {
    const now = this.deps.now();
    const { shared, reserve } = this.places;
    const free = shared - this.underWay;
    const hasReserve = free + reserve > 0;
    const endpoints = calls.map((call) => this.endpointOf(call));
    for (const endpoint of endpoints) {
      const places = free > 0 ? this.perFreePlace * free - endpoint.held : 0;
      const refusal = endpoint.refuses(integrationId, { places, hasReserve }, now);
      if (refusal) return this.refusal(refusal, endpoint.name);
    }
    const left = this.enter(endpoints.length);
    const held = endpoints.map((endpoint) => new HeldPlace(endpoint, endpoint.enter(integrationId, now), now, left));
    return new CallPlaces(held, this.deps.now);
  }

  /** From now on `changed` hears of every circuit that opens or closes by the calls of this process, and `claim` decides on trials. */
  hear(changed: (change: CircuitChange) => void, claim: ClaimTrial): void {
    this.changed = changed;
    this.claim = claim;
  }

  /** What another process has found. */
  learn(change: CircuitChange): void {
    const known = this.endpoints[change.side].get(change.partnerId)?.get(change.step);
    if (!known && change.openMs === undefined) return;
    (known ?? this.endpointOf({ ...change, url: '' })).learn(change, this.deps.now());
  }

  /** Endpoints that hold places or whose circuits are not all closed. */
  inUse(): readonly PartnerEndpoint[] {
    return [...this.all()].filter(
      (endpoint) => endpoint.held > 0 || endpoint.state(this.deps.now()) !== 'closed' || endpoint.openFor().length > 0,
    );
  }

  /** Endpoints with a circuit that is not closed, by side and step. Of a step that was ever called there is a count, if 0. */
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

  /** Calls that were refused since the start, by step and cause. */
  refusals(): readonly { readonly at: EndpointName; readonly cause: EndpointRefusal['cause']; readonly count: number }[] {
    return [...this.refused.values()];
  }

  /** Counts a call until it has given back all that it holds: what it waits for afterwards is no partner's. */
  private enter(places: number): () => void {
    if (places > 0) this.underWay++;
    let held = places;
    return () => {
      if (--held === 0) this.underWay--;
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

/** A claim that was refused is not repeated sooner. */
const leastWaitMs = 100;
