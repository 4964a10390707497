import type { CallPlaces } from '../isolation/call-places';
import type { Side, Step } from '../shared/errors';
import type { CallTime } from './call-time';
import type { SpanOrigin } from './tracing';

/** One call to a partner, as the exchange record keeps it. No URL, header, body or token. */
export interface Leg {
  readonly to: Extract<Side, 'hostapp' | 'miniapp'>;
  readonly step: Step;
  /** 1, or 2 for the one retry. */
  readonly attempt: number;
  /** When the call began, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly ms: number;
  /** The partner's HTTP status, where an answer came. */
  readonly status?: number | undefined;
  /** Absent: the leg went well. */
  readonly errorCode?: string | undefined;
  /** Why there was no readable answer, in one word of ours. */
  readonly cause?: string | undefined;
  /** Seconds for which the partner wants to be left alone. */
  readonly retryAfterS?: number | undefined;
}

export const checkNames = ['basic', 'signature', 'address'] as const;
export type CheckName = (typeof checkNames)[number];

/** Whose credentials were checked. */
export interface CheckedPartner {
  readonly kind: 'host-app' | 'miniapp';
  readonly id: string;
}

/** Written to by the steps of a relay, read by none of them. */
export interface Trace {
  passed(check: CheckName): void;
  /** Whose check was not passed. */
  refused(check: CheckName, by: CheckedPartner): void;
  leg(leg: Leg): void;
  /** The user's reference at the host app; kept masked. */
  reference(reference: string): void;
  /** This is a part of a payment or durable event: its id here. The last one counts. */
  partOf(id: string): void;
}

/** Of what leaves no record here: attempts of deliveries have their own, and the scenarios of conform judge for themselves. */
export const untraced: Trace = {
  passed: () => undefined,
  refused: () => undefined,
  leg: () => undefined,
  reference: () => undefined,
  partOf: () => undefined,
};

/** What goes along with one inbound call to every step of it. */
export interface Relay {
  /** The caller's X-Request-Id or a new one: 1 to 128 characters of `[A-Za-z0-9._-]`. */
  readonly requestId: string;
  readonly traceparent?: string | undefined;
  /** When the whole inbound call must have ended, in milliseconds since the epoch. */
  readonly deadline: number;
  readonly trace: Trace;
  /** For what its calls to partners are made, where calls are traced. */
  readonly origin?: SpanOrigin | undefined;
  /** What its caller has waited for; absent: nobody waits for an answer. */
  readonly time?: CallTime | undefined;
  /** The places at partners that were taken for it; a call without one takes its own. */
  readonly places?: CallPlaces | undefined;
}

/** The record of one relay, both legs: what both partners and the operator read when they ask what happened. */
export interface Exchange {
  readonly id: string;
  readonly requestId: string;
  /** The endpoint, as in routes.ts: `connect`, `authorize`, …; or `reconcile`, which nobody called. */
  readonly call: string;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
  /** Masked: first and last two characters at most. */
  readonly reference?: string | undefined;
  /** When the call came in, in milliseconds since the epoch. */
  readonly at: number;
  readonly ms: number;
  readonly status: number;
  readonly errorCode?: string | undefined;
  /** Who failed; absent where nobody did. */
  readonly failedSide?: Side | undefined;
  readonly failedStep?: Step | undefined;
  /** The checks that were passed. */
  readonly checks: readonly CheckName[];
  /** The check that was not, and whose it was. */
  readonly refused?: RefusedCheck | undefined;
  /** The id of the payment, or of the durable event's delivery, that this is a part of. */
  readonly partOf?: string | undefined;
  readonly legs: readonly Leg[];
}

/** A check that was not passed; `of`: whose credentials were checked. */
export interface RefusedCheck {
  readonly check: CheckName;
  readonly of: Extract<Side, 'hostapp' | 'miniapp'>;
}

/** A reference that can be recognised by who knows it and is worth nothing to who does not. */
export function maskReference(reference: string): string {
  // Most have no pairs of surrogates, which may not be cut in two.
  if (!/[\ud800-\udfff]/.test(reference)) return reference.length < 8 ? '****' : `${reference.slice(0, 2)}****${reference.slice(-2)}`;
  const characters = [...reference];
  if (characters.length < 8) return '****';
  return `${characters.slice(0, 2).join('')}****${characters.slice(-2).join('')}`;
}

/** How one inbound call ended. */
export interface Ending {
  readonly status: number;
  readonly errorCode?: string | undefined;
  readonly side?: Side | undefined;
  readonly step?: Step | undefined;
}

/** Collects the trace of one relay and makes its record. */
export class ExchangeTrace implements Trace {
  private readonly checks: CheckName[] = [];
  private readonly legs: Leg[] = [];
  private masked: string | undefined;
  private whole: string | undefined;
  private refusal: RefusedCheck | undefined;
  /** Whose signature did not pass; `undefined`: none was refused. */
  signatureRefusedBy: CheckedPartner | undefined;

  /** The last call that was made; `undefined`: none was. */
  get lastLeg(): Leg | undefined {
    return this.legs.at(-1);
  }

  passed(check: CheckName): void {
    this.checks.push(check);
  }

  refused(check: CheckName, { kind, id }: CheckedPartner): void {
    this.refusal = { check, of: kind === 'host-app' ? 'hostapp' : 'miniapp' };
    if (check === 'signature') this.signatureRefusedBy = { kind, id };
  }

  leg(leg: Leg): void {
    this.legs.push(leg);
  }

  reference(reference: string): void {
    this.masked = maskReference(reference);
  }

  partOf(id: string): void {
    // A payment that is only expected has none yet.
    if (id !== '') this.whole = id;
  }

  record(about: Pick<Exchange, 'id' | 'requestId' | 'call' | 'clientId' | 'appId' | 'at' | 'ms'>, ending: Ending): Exchange {
    // Member by member: made of parts, each record would be larger and slower to make, and there is one for every call.
    return {
      id: about.id,
      requestId: about.requestId,
      call: about.call,
      clientId: about.clientId,
      appId: about.appId,
      reference: this.masked,
      at: about.at,
      ms: about.ms,
      status: ending.status,
      errorCode: ending.errorCode,
      failedSide: ending.side,
      failedStep: ending.step,
      checks: this.checks,
      refused: this.refusal,
      partOf: this.whole,
      legs: this.legs,
    };
  }
}
