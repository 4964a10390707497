import type { PartnerLeg } from '../partners/partner-errors';
import { OpenCircuit, circuitRules, type CircuitState, type Outcome } from './circuit';
import { Outcomes } from './outcomes';

/** Identifies an endpoint: a partner and a step. */
export interface EndpointName extends PartnerLeg {
  /** The partner's Client ID or App ID. */
  readonly partnerId: string;
}

/** A circuit that has opened, for `openMs`, or closed. Without `integrationId` it is the circuit of the whole endpoint. */
export interface CircuitChange extends EndpointName {
  readonly integrationId?: string | undefined;
  readonly openMs?: number | undefined;
}

/** Why a call is refused, and after how many milliseconds one may pass. */
export interface EndpointRefusal {
  readonly cause: 'circuit-open' | 'partner-saturated';
  readonly waitMs: number;
}

/** A slot that a call has taken at an endpoint. */
export interface EndpointSlot {
  readonly integrationId: string;
  /** The circuit that the call tests. Absent when it tests none. */
  readonly probe?: OpenCircuit | undefined;
  /** True when the endpoint's circuit is open, but the call's integration has not failed there. */
  readonly isFirstCall: boolean;
  /** Number of circuits that had opened here before the call began. */
  readonly openings: number;
}

/** A half-open circuit that a call tests, and its name for other processes. */
export interface Trial {
  readonly circuit: OpenCircuit;
  readonly of: Omit<CircuitChange, 'openMs'>;
}

/** The capacity that the process has left for an endpoint. */
export interface SlotsLeft {
  /** Number of further calls that the endpoint may take. */
  readonly slots: number;
  /** Whether a slot of the process's reserve is free. */
  readonly hasReserve: boolean;
}

/** Maximum slots of the reserve that one integration may hold at an endpoint. */
const reserveRules = {
  /** The limit `whereAnswered` holds if the endpoint answered within so many milliseconds, otherwise `anywhere`. */
  answeredWithinMs: 2000,
  whereAnswered: 16,
  anywhere: 2,
} as const;

/** A guess, as nobody knows when slots become free; a retry each second is no burden. */
const saturatedWaitMs = 1000;

/**
 * The slots and circuits of one endpoint of one partner. Times are milliseconds of a monotonic clock.
 *
 * If an endpoint fails for one integration only, the circuit opens for that one alone. If it fails for all that call it, the endpoint's
 * own circuit opens; an integration without a failure may still make a few calls, and if one is answered, the circuit stays open only for
 * the integrations that failed.
 */
export class PartnerEndpoint {
  /** Calls in flight, in total and by integration. */
  held = 0;
  private readonly heldBy = new Map<string, number>();
  private readonly outcomes = new Outcomes();
  private whole: OpenCircuit | undefined;
  /** Integrations that failed before or while the endpoint's circuit opened. */
  private failedBy = new Set<string>();
  private readonly own = new Map<string, OpenCircuit>();
  private openings = 0;
  private answeredAt = -Infinity;

  constructor(
    readonly name: EndpointName,
    /** The endpoint's URL; a change resets the circuits. Empty while only another process knows the endpoint. */
    private url: string,
    private readonly changed: (change: CircuitChange) => void,
  ) {}

  /**
   * Why a call is refused now; `undefined` when it is accepted. One integration holds at most three times the slots left: alone, four
   * fifths of the endpoint's slots, so that another one finds some. Beyond that, the reserve serves integrations that hold few.
   */
  refuses(integrationId: string, left: SlotsLeft, now: number): EndpointRefusal | undefined {
    const waitMs = this.circuitWaitMs(integrationId, now);
    if (waitMs > 0) return { cause: 'circuit-open', waitMs };
    const held = this.heldBy.get(integrationId) ?? 0;
    if (left.slots > 0 && held < sharePerIntegration * left.slots) return undefined;
    const fromReserve = now - this.answeredAt < reserveRules.answeredWithinMs ? reserveRules.whereAnswered : reserveRules.anywhere;
    return left.hasReserve && held < fromReserve ? undefined : { cause: 'partner-saturated', waitMs: saturatedWaitMs };
  }

  /** Takes a slot. Call it only when `refuses` returned `undefined`. */
  enter(integrationId: string, now: number): EndpointSlot {
    this.held++;
    const held = this.heldBy.get(integrationId) ?? 0;
    this.heldBy.set(integrationId, held + 1);
    const own = this.own.get(integrationId);
    const probe = own ?? (this.whole?.waitMs(now) === 0 ? this.whole : undefined);
    probe?.beginProbe();
    return { integrationId, probe, isFirstCall: probe === undefined && this.whole !== undefined, openings: this.openings };
  }

  /** The half-open circuit that a call is about to test, if no process has claimed the trial. */
  unclaimed({ integrationId, probe }: EndpointSlot, now: number): Trial | undefined {
    if (!probe || probe.isClaimed(now)) return undefined;
    return { circuit: probe, of: this.own.get(integrationId) === probe ? { ...this.name, integrationId } : this.name };
  }

  /** Ends a call. `outcome` is absent when it says nothing about the endpoint. */
  leave(slot: EndpointSlot, outcome: Outcome | undefined, now: number): void {
    const { integrationId, probe } = slot;
    this.held--;
    const held = (this.heldBy.get(integrationId) ?? 1) - 1;
    if (held === 0) this.heldBy.delete(integrationId);
    else this.heldBy.set(integrationId, held);
    probe?.endProbe();
    if (outcome === undefined) return;
    if (outcome === 'answered') this.answeredAt = now;
    if (probe) this.probed(integrationId, probe, outcome, now);
    else if (slot.isFirstCall) this.firstCallEnded(integrationId, outcome, now);
    // A call that began before a circuit opened and ends late says nothing new.
    else if (slot.openings === this.openings) this.count(integrationId, outcome, now);
  }

  /** Sets the URL; everything that is known of another URL is dropped. */
  at(url: string): void {
    if (url === this.url) return;
    const isKnown = this.url !== '';
    this.url = url;
    if (!isKnown) return;
    this.reset();
  }

  /** Takes over a change from another process. */
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

  /** Integrations whose own circuit is not closed. */
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

  /** If a first call is answered, the endpoint works: closes its circuit, and opens one for each integration that failed. */
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
