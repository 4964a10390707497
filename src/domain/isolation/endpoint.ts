import type { PartnerLeg } from '../partners/partner-errors';
import { OpenCircuit, circuitRules, type CircuitState, type Outcome } from './circuit';
import { Outcomes } from './outcomes';

/** An endpoint of a partner: of this host app or miniapp, for this step. */
export interface EndpointName extends PartnerLeg {
  /** The partner's Client ID or App ID. */
  readonly partnerId: string;
}

/** A circuit that has opened, for `ms`, or closed. Without `integrationId` it is the endpoint's. */
export interface CircuitChange extends EndpointName {
  readonly integrationId?: string | undefined;
  readonly openMs?: number | undefined;
}

/** Why a call is refused, and after how many milliseconds one may be let through. */
export interface EndpointRefusal {
  readonly cause: 'circuit-open' | 'partner-saturated';
  readonly waitMs: number;
}

/** What one call has taken at an endpoint. */
export interface EndpointPlace {
  readonly integrationId: string;
  /** Present: this call finds out whether the endpoint is back. */
  readonly probe?: OpenCircuit | undefined;
  /** True: it goes to an endpoint whose circuit is open, for an integration that has not failed there. */
  readonly isFirstCall: boolean;
  /** How many circuits had opened here before it began. */
  readonly openings: number;
}

/** A half-open circuit that a call tries, and its name for other processes. */
export interface Trial {
  readonly circuit: OpenCircuit;
  readonly of: Omit<CircuitChange, 'openMs'>;
}

/** What the process leaves to an endpoint. */
export interface PlacesLeft {
  /** How many more calls the endpoint may take. */
  readonly places: number;
  /** Whether the reserve of the process has a place. */
  readonly hasReserve: boolean;
}

/** Places that one integration may hold at an endpoint from the reserve. */
const reserveRules = {
  /** Where the endpoint has answered within so many milliseconds. */
  answeredWithinMs: 2000,
  whereAnswered: 16,
  anywhere: 2,
} as const;

/** When places come free nobody knows; a second is soon, and no burden. */
const saturatedWaitMs = 1000;

/**
 * One endpoint of one partner: who holds its places, and its circuits. Times are milliseconds of a monotonic clock.
 *
 * An endpoint that fails for one integration alone is closed to that one alone. Where it fails for all that call it, its own circuit
 * opens; an integration that had no part in that may still make a few calls, and where one is answered, the circuit stays open only
 * for those that failed.
 */
export class PartnerEndpoint {
  /** Calls under way, all and by integration. */
  held = 0;
  private readonly heldBy = new Map<string, number>();
  private readonly outcomes = new Outcomes();
  private whole: OpenCircuit | undefined;
  /** Integrations that failed while or before the endpoint's circuit opened. */
  private failedBy = new Set<string>();
  private readonly own = new Map<string, OpenCircuit>();
  private openings = 0;
  private answeredAt = -Infinity;

  constructor(
    readonly name: EndpointName,
    /** Where it is: another URL is another endpoint. Empty: only another process knows it so far. */
    private url: string,
    private readonly changed: (change: CircuitChange) => void,
  ) {}

  /**
   * Why a call is not taken now; `undefined`: it is. One integration holds at most three times the free places: alone four fifths of
   * the endpoint's places, so that another one finds some. Beyond that, the reserve is for those that hold little.
   */
  refuses(integrationId: string, left: PlacesLeft, now: number): EndpointRefusal | undefined {
    const waitMs = this.circuitWaitMs(integrationId, now);
    if (waitMs > 0) return { cause: 'circuit-open', waitMs };
    const held = this.heldBy.get(integrationId) ?? 0;
    if (left.places > 0 && held < sharePerIntegration * left.places) return undefined;
    const fromReserve = now - this.answeredAt < reserveRules.answeredWithinMs ? reserveRules.whereAnswered : reserveRules.anywhere;
    return left.hasReserve && held < fromReserve ? undefined : { cause: 'partner-saturated', waitMs: saturatedWaitMs };
  }

  /** After `refuses` has said no. */
  enter(integrationId: string, now: number): EndpointPlace {
    this.held++;
    const held = this.heldBy.get(integrationId) ?? 0;
    this.heldBy.set(integrationId, held + 1);
    const own = this.own.get(integrationId);
    const probe = own ?? (this.whole?.waitMs(now) === 0 ? this.whole : undefined);
    probe?.beginProbe();
    return { integrationId, probe, isFirstCall: probe === undefined && this.whole !== undefined, openings: this.openings };
  }

  /** The half-open circuit that a call is about to try, where no process has claimed the trial. */
  unclaimed({ integrationId, probe }: EndpointPlace, now: number): Trial | undefined {
    if (!probe || probe.isClaimed(now)) return undefined;
    return { circuit: probe, of: this.own.get(integrationId) === probe ? { ...this.name, integrationId } : this.name };
  }

  /** The call has ended. `outcome` absent: it says nothing of the endpoint. */
  leave(place: EndpointPlace, outcome: Outcome | undefined, now: number): void {
    const { integrationId, probe } = place;
    this.held--;
    const held = (this.heldBy.get(integrationId) ?? 1) - 1;
    if (held === 0) this.heldBy.delete(integrationId);
    else this.heldBy.set(integrationId, held);
    probe?.endProbe();
    if (outcome === undefined) return;
    if (outcome === 'answered') this.answeredAt = now;
    if (probe) this.probed(integrationId, probe, outcome, now);
    else if (place.isFirstCall) this.firstCallEnded(integrationId, outcome, now);
    // What began before a circuit opened ends late: it says nothing new.
    else if (place.openings === this.openings) this.count(integrationId, outcome, now);
  }

  /** Another URL has been stored: nothing that is known of the old one counts. */
  at(url: string): void {
    if (url === this.url) return;
    const isKnown = this.url !== '';
    this.url = url;
    if (!isKnown) return;
    this.reset();
  }

  /** What another process has found. */
  learn({ integrationId, openMs }: Pick<CircuitChange, 'integrationId' | 'openMs'>, now: number): void {
    if (integrationId === undefined) {
      if (openMs === undefined) this.whole = undefined;
      else if (this.whole) this.whole.extend(now, openMs);
      else this.open(new OpenCircuit(now, openMs));
    } else if (openMs === undefined) this.own.delete(integrationId);
    else if (this.own.has(integrationId)) this.own.get(integrationId)?.extend(now, openMs);
    else this.own.set(integrationId, new OpenCircuit(now, openMs));
  }

  state(now: number): CircuitState {
    return this.whole?.state(now) ?? 'closed';
  }

  /** The integrations whose own circuit is not closed. */
  openFor(): readonly string[] {
    return [...this.own.keys()];
  }

  private circuitWaitMs(integrationId: string, now: number): number {
    const own = this.own.size === 0 ? undefined : this.own.get(integrationId);
    if (own) return own.waitMs(now);
    if (this.whole === undefined) return 0;
    const mayFindOut = !this.failedBy.has(integrationId) && (this.heldBy.get(integrationId) ?? 0) < circuitRules.firstCalls;
    return mayFindOut ? 0 : this.whole.waitMs(now);
  }

  private count(integrationId: string, outcome: Outcome, now: number): void {
    this.outcomes.add(integrationId, outcome, now);
    if (outcome === 'answered') return;
    const verdict = this.outcomes.verdict(integrationId);
    if (verdict === 'endpoint') {
      this.open(new OpenCircuit(now));
      this.changed({ ...this.name, openMs: circuitRules.openMs });
    } else if (verdict === 'integration') this.openOwn(integrationId, now);
  }

  private probed(integrationId: string, probe: OpenCircuit, outcome: Outcome, now: number): void {
    const isOwn = this.own.get(integrationId) === probe;
    if (!isOwn && this.whole !== probe) return;
    const scope = isOwn ? { ...this.name, integrationId } : this.name;
    if (outcome !== 'answered') {
      this.failedBy.add(integrationId);
      this.changed({ ...scope, openMs: probe.reopen(now) });
      return;
    }
    if (isOwn) this.own.delete(integrationId);
    else this.whole = undefined;
    this.outcomes.forget(isOwn ? integrationId : undefined);
    this.changed(scope);
  }

  /** Answered: it is not the endpoint that fails, but the integrations that did. */
  private firstCallEnded(integrationId: string, outcome: Outcome, now: number): void {
    if (!this.whole) return;
    if (outcome !== 'answered') {
      this.failedBy.add(integrationId);
      return;
    }
    this.whole = undefined;
    this.outcomes.forget();
    this.changed(this.name);
    for (const id of this.failedBy) this.openOwn(id, now);
  }

  private open(circuit: OpenCircuit): void {
    this.openings++;
    this.whole = circuit;
    this.failedBy = new Set(this.outcomes.failing());
    this.outcomes.forget();
    this.own.clear();
  }

  private openOwn(integrationId: string, now: number): void {
    this.openings++;
    this.own.set(integrationId, new OpenCircuit(now));
    this.outcomes.forget(integrationId);
    this.changed({ ...this.name, integrationId, openMs: circuitRules.openMs });
  }

  private reset(): void {
    if (this.whole) this.changed(this.name);
    for (const integrationId of this.own.keys()) this.changed({ ...this.name, integrationId });
    this.whole = undefined;
    this.own.clear();
    this.outcomes.forget();
  }
}

const sharePerIntegration = 3;
