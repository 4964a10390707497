import type { Leg, Relay } from '../../../domain/exchanges/exchange';
import type { LegSpan, Tracing } from '../../../domain/exchanges/tracing';
import { PartnerUnreachable, type PartnerLeg } from '../../../domain/partners/partner-errors';
import { DomainError, Unavailable } from '../../../domain/shared/errors';
import type { Clock } from '../../../domain/shared/ports';
import type { HttpTransport, WireAnswer, WireRequest } from './http-transport';
import type { PlaceOfCall } from './isolation/partner-admission';
import { NoAnswer } from './no-answer';
import { secondsOf } from './retry-after';

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
  readonly attempt: number;
  /** Whom the call is about, by their ids. */
  readonly about: { readonly clientId: string; readonly appId?: string };
  readonly request: Omit<WireRequest, 'deadline'>;
  /** Hears how the request went; absent: the call is not bounded here. */
  readonly place?: PlaceOfCall | undefined;
}

/** Hears of every call that has ended, also of those of which no relay keeps a record. */
export type HearLeg = (leg: Leg) => void;

interface LegExchangeDeps {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly hear?: HearLeg | undefined;
  /** Absent: nothing is traced. */
  readonly tracing?: Tracing | undefined;
}

/** How a leg ended. */
interface LegEnd {
  readonly span: LegSpan | undefined;
  readonly startedAt: number;
  readonly answer: WireAnswer | undefined;
  readonly errorCode: string | undefined;
  readonly cause: string | undefined;
}

/**
 * Sends one request, reads its answer and tells the trace how it went. Throws what `read` throws, PartnerUnreachable, and Unavailable
 * where the relay's caller was answered before, as that was due: nothing is sent then.
 */
export class LegExchange {
  constructor(private readonly deps: LegExchangeDeps) {}

  async run<Reply>(asked: LegRequest, read: (answer: WireAnswer) => Reply): Promise<Reply> {
    const { leg, place } = asked;
    const { time } = asked.relay;
    if (time?.isOverdue) throw new Unavailable('database-busy');
    const span = this.begin(asked);
    const request = wireRequest(asked, span);
    const startedAt = this.deps.clock.now();
    let answer: WireAnswer | undefined;
    const tell = (errorCode?: string, cause?: string): void => this.tell(asked, { span, startedAt, answer, errorCode, cause });
    time?.toPartner(leg.step);
    try {
      place?.begin();
      answer = await this.deps.transport.send(request);
      place?.answered(answer.status);
      const reply = read(answer);
      tell();
      return reply;
    } catch (thrown) {
      if (thrown instanceof NoAnswer) place?.failed(thrown);
      const error = thrown instanceof NoAnswer ? unreachable(leg, thrown) : thrown;
      if (error instanceof DomainError) tell(error.code, error.details.cause);
      else tell('UNKNOWN_ERROR');
      throw error;
    } finally {
      time?.fromPartner();
    }
  }

  private tell({ relay, leg, attempt }: LegRequest, { span, startedAt, answer, errorCode, cause }: LegEnd): void {
    const now = this.deps.clock.now();
    const told: Leg = {
      to: leg.side,
      step: leg.step,
      attempt,
      startedAt,
      ms: now - startedAt,
      status: answer?.status,
      errorCode,
      cause,
      retryAfterS: answer && secondsOf(answer.retryAfter, now),
    };
    relay.trace.leg(told);
    this.deps.hear?.(told);
    span?.end(told);
  }

  private begin({ relay, leg, attempt, about, request: { method, url } }: LegRequest): LegSpan | undefined {
    const { requestId, origin } = relay;
    return this.deps.tracing?.leg({ leg, method, url, attempt, requestId, ...about, origin });
  }
}

/** The header of the span is our own: no signature covers it, as the templates of signatures name no header. */
const wireRequest = ({ request, relay: { deadline } }: LegRequest, span: LegSpan | undefined): WireRequest => ({
  method: request.method,
  url: request.url,
  headers: span?.sent === undefined ? request.headers : { ...request.headers, traceparent: span.sent },
  body: request.body,
  statusSuffices: request.statusSuffices ?? false,
  deadline,
});

const unreachable = (leg: PartnerLeg, { reason, staleConnection }: NoAnswer): PartnerUnreachable =>
  staleConnection ? new StaleConnection(leg) : new PartnerUnreachable(leg, reason);
