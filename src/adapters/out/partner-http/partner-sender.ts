import type { Leg, Relay } from '../../../domain/exchanges/exchange';
import type { LegSpan, Tracing } from '../../../domain/exchanges/tracing';
import type { HostApp } from '../../../domain/partners/host-app';
import type { Miniapp } from '../../../domain/partners/miniapp';
import { PartnerUnreachable, type PartnerLeg } from '../../../domain/partners/partner-errors';
import { DomainError, Unavailable } from '../../../domain/shared/errors';
import type { Clock } from '../../../domain/shared/ports';
import type { CallSlot } from './isolation/partner-admission';
import { NoAnswer } from './no-answer';
import { answerOf, type PartnerAnswer } from './partner-answer';
import type { PartnerConnections } from './partner-connections';
import type { PartnerDraft } from './partner-call';
import { secondsOf } from './retry-after';
import type { PartnerAxios } from './undici-adapter';

/** A keep-alive connection was closed before the partner received the request. */
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
  /** 1 for the first request, 2 for a repeat. */
  readonly attempt: number;
  /** The ids of the partners that the call concerns. */
  readonly about: { readonly clientId: string; readonly appId?: string };
  /** The request with its credentials. */
  readonly request: PartnerDraft;
  /** See `bodyOptional` in undici-adapter.ts. */
  readonly bodyOptional?: boolean;
  /** Receives the outcome of the request. Absent: the call needs no slot. */
  readonly slot?: CallSlot | undefined;
}

/** Called for every request that has ended, including requests outside a recorded relay. */
export type LegListener = (leg: Leg) => void;

interface Deps {
  readonly axios: PartnerAxios;
  readonly connections: Pick<PartnerConnections, 'to'>;
  readonly clock: Clock;
  readonly onLeg?: LegListener | undefined;
  /** Absent: tracing is off. */
  readonly tracing?: Tracing | undefined;
}

/** The end of a request. */
interface LegEnd {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly answer: PartnerAnswer | undefined;
  readonly error: unknown;
}

/** Sends single requests to partners and records each one: in the relay's trace, as a span, and for `onLeg`. */
export class PartnerSender {
  constructor(private readonly deps: Deps) {}

  /**
   * Sends the request. Throws the errors of `read`, PartnerUnreachable, and Unavailable without sending when the relay's caller was already
   * answered because the call was overdue.
   */
  async send<Reply>(sent: LegRequest, read: (answer: PartnerAnswer) => Reply | Promise<Reply>): Promise<Reply> {
    const { relay, leg, slot } = sent;
    if (relay.time?.isOverdue) throw new Unavailable('database-busy');
    const span = this.begin(sent);
    const startedAt = this.deps.clock.now();
    let answer: PartnerAnswer | undefined;
    let endedAt: number | undefined;
    let error: unknown;
    try {
      slot?.begin();
      const request = (): Promise<PartnerAnswer> => this.request(sent, span);
      answer = await (relay.time?.besidePartner(request, leg.step) ?? request());
      // What follows, such as reading a long answer, is this process's time and not the partner's.
      endedAt = this.deps.clock.now();
      slot?.answered(answer.status);
      return await read(answer);
    } catch (thrown) {
      if (thrown instanceof NoAnswer) slot?.failed(thrown);
      error = thrown instanceof NoAnswer ? unreachable(leg, thrown) : thrown;
      throw error;
    } finally {
      this.record(sent, span, { startedAt, endedAt: endedAt ?? this.deps.clock.now(), answer, error });
    }
  }

  private async request({ relay, receiver, request, bodyOptional }: LegRequest, span: LegSpan | undefined): Promise<PartnerAnswer> {
    const { method, url, body } = request;
    const timeout = relay.deadline - this.deps.clock.now();
    if (timeout <= 0) throw new NoAnswer('connect-timeout', false);
    // The span's header is added after signing: signature templates name no header, so no signature covers it.
    const headers = span?.sent === undefined ? request.headers : { ...request.headers, traceparent: span.sent };
    const connections = this.deps.connections.to(receiver);
    // Sets only the needed members, because axios takes half a microsecond for each.
    const config = { method, url, headers, data: body ?? null, timeout, connections, ...(bodyOptional && { bodyOptional }) };
    return answerOf(await this.deps.axios.request(config));
  }

  private begin({ relay, leg, attempt, about, request: { method, url } }: LegRequest): LegSpan | undefined {
    const { requestId, origin } = relay;
    return this.deps.tracing?.leg({ leg, method, url, attempt, requestId, ...about, origin });
  }

  private record({ relay, leg, attempt }: LegRequest, span: LegSpan | undefined, { startedAt, endedAt, answer, error }: LegEnd): void {
    const known = error instanceof DomainError ? error : undefined;
    const ended: Leg = {
      to: leg.side,
      step: leg.step,
      attempt,
      startedAt,
      ms: endedAt - startedAt,
      status: answer?.status,
      errorCode: known?.code ?? (error === undefined ? undefined : 'UNKNOWN_ERROR'),
      cause: known?.details.cause,
      retryAfterS: answer && secondsOf(answer.retryAfter, endedAt),
    };
    relay.trace.leg(ended);
    this.deps.onLeg?.(ended);
    span?.end(ended);
  }
}

const unreachable = (leg: PartnerLeg, { reason, staleConnection }: NoAnswer): PartnerUnreachable =>
  staleConnection ? new StaleConnection(leg) : new PartnerUnreachable(leg, reason);
