import type { Leg, Relay } from '../../../domain/exchanges/exchange';
import type { LegSpan, Tracing } from '../../../domain/exchanges/tracing';
import type { HostApp } from '../../../domain/partners/host-app';
import type { Miniapp } from '../../../domain/partners/miniapp';
import { PartnerUnreachable, type PartnerLeg } from '../../../domain/partners/partner-errors';
import { DomainError, Unavailable } from '../../../domain/shared/errors';
import type { Clock } from '../../../domain/shared/ports';
import type { PlaceOfCall } from './isolation/partner-admission';
import { NoAnswer } from './no-answer';
import { answerOf, type PartnerAnswer } from './partner-answer';
import type { PartnerConnections } from './partner-connections';
import type { PartnerDraft } from './partner-draft';
import { secondsOf } from './retry-after';
import type { PartnerAxios } from './undici-adapter';

/** A connection kept from before was closed under the request: the partner has not seen it. */
export class StaleConnection extends PartnerUnreachable {
  constructor(leg: PartnerLeg) {
    super(leg, 'reset');
  }
}

/** One request of a relay. */
export interface LegRequest {
  readonly relay: Relay;
  readonly leg: PartnerLeg;
  readonly receiver: HostApp | Miniapp;
  /** 1, or 2 for a repeat. */
  readonly attempt: number;
  /** The pair that the call is about, by their ids. */
  readonly about: { readonly clientId: string; readonly appId?: string };
  /** As it is sent, credentials included. */
  readonly request: PartnerDraft;
  /** As in the config of axios (undici-adapter.ts). */
  readonly bodyOptional?: boolean;
  /** Learns how the request went; absent: the call is not bounded here. */
  readonly place?: PlaceOfCall | undefined;
}

/** Learns of every call that has ended, also of those without a record of a relay. */
export type HearLeg = (leg: Leg) => void;

interface Deps {
  readonly axios: PartnerAxios;
  readonly connections: Pick<PartnerConnections, 'to'>;
  readonly clock: Clock;
  readonly hear?: HearLeg | undefined;
  /** Absent: nothing is traced. */
  readonly tracing?: Tracing | undefined;
}

/** How a request ended. */
interface LegEnd {
  readonly startedAt: number;
  readonly answer: PartnerAnswer | undefined;
  readonly error: unknown;
}

/** Sends single requests to partners, and records each: in the relay's trace, as a span, and for `hear`. */
export class PartnerSender {
  constructor(private readonly deps: Deps) {}

  /**
   * Throws what `read` throws, PartnerUnreachable, and Unavailable without sending where the relay's caller was already answered
   * because the call was overdue.
   */
  async send<Reply>(sent: LegRequest, read: (answer: PartnerAnswer) => Reply): Promise<Reply> {
    const { relay, leg, place } = sent;
    if (relay.time?.isOverdue) throw new Unavailable('database-busy');
    const span = this.begin(sent);
    const startedAt = this.deps.clock.now();
    let answer: PartnerAnswer | undefined;
    let error: unknown;
    relay.time?.toPartner(leg.step);
    try {
      place?.begin();
      answer = await this.request(sent, span);
      place?.answered(answer.status);
      return read(answer);
    } catch (thrown) {
      if (thrown instanceof NoAnswer) place?.failed(thrown);
      error = thrown instanceof NoAnswer ? unreachable(leg, thrown) : thrown;
      throw error;
    } finally {
      relay.time?.fromPartner();
      this.record(sent, span, { startedAt, answer, error });
    }
  }

  private async request({ relay, receiver, request, bodyOptional }: LegRequest, span: LegSpan | undefined): Promise<PartnerAnswer> {
    const { method, url, body } = request;
    const timeout = relay.deadline - this.deps.clock.now();
    if (timeout <= 0) throw new NoAnswer('connect-timeout', false);
    // The span's header is ours: no signature covers it, as the templates of signatures name no header.
    const headers = span?.sent === undefined ? request.headers : { ...request.headers, traceparent: span.sent };
    const connections = this.deps.connections.to(receiver);
    // axios takes half a microsecond for each member that it is given.
    const config = { method, url, headers, data: body ?? null, timeout, connections, ...(bodyOptional && { bodyOptional }) };
    return answerOf(await this.deps.axios.request(config));
  }

  private begin({ relay, leg, attempt, about, request: { method, url } }: LegRequest): LegSpan | undefined {
    const { requestId, origin } = relay;
    return this.deps.tracing?.leg({ leg, method, url, attempt, requestId, ...about, origin });
  }

  private record({ relay, leg, attempt }: LegRequest, span: LegSpan | undefined, { startedAt, answer, error }: LegEnd): void {
    const now = this.deps.clock.now();
    const known = error instanceof DomainError ? error : undefined;
    const ended: Leg = {
      to: leg.side,
      step: leg.step,
      attempt,
      startedAt,
      ms: now - startedAt,
      status: answer?.status,
      errorCode: known?.code ?? (error === undefined ? undefined : 'UNKNOWN_ERROR'),
      cause: known?.details.cause,
      retryAfterS: answer && secondsOf(answer.retryAfter, now),
    };
    relay.trace.leg(ended);
    this.deps.hear?.(ended);
    span?.end(ended);
  }
}

const unreachable = (leg: PartnerLeg, { reason, staleConnection }: NoAnswer): PartnerUnreachable =>
  staleConnection ? new StaleConnection(leg) : new PartnerUnreachable(leg, reason);
