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

/**
 * Sends one request, reads its answer and tells the trace how it went. Throws what `read` throws, PartnerUnreachable, and Unavailable
 * where the relay's caller was answered before, as that was due: nothing is sent then.
 */
export class LegExchange {
  constructor(private readonly deps: LegExchangeDeps) {}

  async run<Reply>(asked: LegRequest, read: (answer: WireAnswer) => Reply): Promise<Reply> {
    const { transport, clock, hear } = this.deps;
    const { relay, leg, attempt, place } = asked;
    const { time } = relay;
    if (time?.isOverdue) throw new Unavailable('database-busy');
    const span = this.begin(asked);
    const request = wireRequest(asked, span);
    const startedAt = clock.now();
    let answer: WireAnswer | undefined;
    const tell = (errorCode?: string, cause?: string): void => {
      const told: Leg = {
        to: leg.side,
        step: leg.step,
        attempt,
        startedAt,
        ms: clock.now() - startedAt,
        status: answer?.status,
        errorCode,
        cause,
        retryAfterS: answer && secondsOf(answer.retryAfter, clock.now()),
      };
      relay.trace.leg(told);
      hear?.(told);
      span?.end(told);
    };
    time?.toPartner(leg.step);
    try {
      place?.begin();
      answer = await transport.send(request);
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
