import type { CallSlots } from '../isolation/call-slots';
import type { Side, Step } from '../shared/errors';
import type { CallTime } from './call-time';
import type { SpanOrigin } from './tracing';

/** A call to a partner, as stored in the exchange record: without URL, headers, body and tokens. */
export interface Leg {
  readonly to: Extract<Side, 'hostapp' | 'miniapp'>;
  readonly step: Step;
  /** 1, or 2 for the one retry. */
  readonly attempt: number;
  /** When the call began, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly ms: number;
  /** The partner's HTTP status. Absent when no answer came. */
  readonly status?: number | undefined;
  /** Absent when the call succeeded. */
  readonly errorCode?: string | undefined;
  /** Our keyword for why there was no readable answer. */
  readonly cause?: string | undefined;
  /** Seconds from the partner's `Retry-After`. */
  readonly retryAfterS?: number | undefined;
}

export const checkNames = ['basic', 'signature', 'address'] as const;
export type CheckName = (typeof checkNames)[number];

/** The partner whose credentials were checked. */
export interface CheckedPartner {
  readonly kind: 'host-app' | 'miniapp';
  readonly id: string;
}

/** Collects facts of a relay for its record; the steps of a relay write to it, and never read it. */
export interface Trace {
  passed(check: CheckName): void;
  /** The check failed; `by` is the partner whose credentials were checked. */
  refused(check: CheckName, by: CheckedPartner): void;
  leg(leg: Leg): void;
  /** The user's reference at the host app; stored masked. */
  reference(reference: string): void;
  /** The id of the payment or durable event that this exchange belongs to. The last call counts. */
  partOf(id: string): void;
}

/** For calls without an exchange record: attempts of deliveries have their own records, and conformance scenarios do their own checks. */
export const untraced: Trace = {
  passed: () => undefined,
  refused: () => undefined,
  leg: () => undefined,
  reference: () => undefined,
  partOf: () => undefined,
};

/** The context of one inbound call, passed to every step. */
export interface Relay {
  /** The caller's X-Request-Id or a new one: 1 to 128 characters of `[A-Za-z0-9._-]`. */
  readonly requestId: string;
  readonly traceparent?: string | undefined;
  /** Deadline of the whole inbound call, in milliseconds since the epoch. */
  readonly deadline: number;
  readonly trace: Trace;
  /** The span origin of its calls to partners. Absent when calls are not traced. */
  readonly origin?: SpanOrigin | undefined;
  /** Time that the caller has waited. Absent when no caller waits for an answer. */
  readonly time?: CallTime | undefined;
  /** Slots at partners, reserved for this call. A call to a partner without one takes its own. */
  readonly slots?: CallSlots | undefined;
}

/** The record of one relay with all its legs, which both partners and the operator read to see what happened. */
export interface Exchange {
  readonly id: string;
  readonly requestId: string;
  /** The endpoint as named in routes.ts: `connect`, `authorize`, …; or `reconcile` for a status poll of our own. */
  readonly call: string;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
  /** Masked: at most the first and last two characters. */
  readonly reference?: string | undefined;
  /** When the call arrived, in milliseconds since the epoch. */
  readonly at: number;
  readonly ms: number;
  readonly status: number;
  readonly errorCode?: string | undefined;
  /** The side that failed. Absent when none did. */
  readonly failedSide?: Side | undefined;
  readonly failedStep?: Step | undefined;
  /** The checks that passed. */
  readonly checks: readonly CheckName[];
  /** The check that failed. */
  readonly refused?: RefusedCheck | undefined;
  /** The id of the payment, or of the durable event's delivery, that this exchange belongs to. */
  readonly partOf?: string | undefined;
  readonly legs: readonly Leg[];
}

/** A failed check; `of` is the partner whose credentials were checked. */
export interface RefusedCheck {
  readonly check: CheckName;
  readonly of: Extract<Side, 'hostapp' | 'miniapp'>;
}

/** Masks a reference: a person who knows it can recognize it, others cannot reconstruct it. */
export function maskReference(reference: string): string {
  // Fast path: most references have no surrogate pairs, which must not be cut in two.
  if (!/[\ud800-\udfff]/.test(reference)) return reference.length < 8 ? '****' : `${reference.slice(0, 2)}****${reference.slice(-2)}`;
  const characters = [...reference];
  if (characters.length < 8) return '****';
  return `${characters.slice(0, 2).join('')}****${characters.slice(-2).join('')}`;
}

/** The outcome of an inbound call. */
export interface Ending {
  readonly status: number;
  readonly errorCode?: string | undefined;
  readonly side?: Side | undefined;
  readonly step?: Step | undefined;
}

/** Collects the trace of one relay and makes its exchange record. */
export class ExchangeTrace implements Trace {
  private readonly checks: CheckName[] = [];
  private readonly legs: Leg[] = [];
  private masked: string | undefined;
  private whole: string | undefined;
  private refusal: RefusedCheck | undefined;
  /** The partner whose signature was refused; `undefined` when none was. */
  signatureRefusedBy: CheckedPartner | undefined;

  /** The last call to a partner; `undefined` when none was made. */
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
    // A provisional payment has no id yet.
    if (id !== '') this.whole = id;
  }

  record(about: Pick<Exchange, 'id' | 'requestId' | 'call' | 'clientId' | 'appId' | 'at' | 'ms'>, ending: Ending): Exchange {
    // Written out member by member: spreads would make each record larger and slower, and every call has one.
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
