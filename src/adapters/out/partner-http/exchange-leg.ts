import type { Relay } from '../../../domain/exchanges/exchange';
import { PartnerUnreachable, type PartnerLeg } from '../../../domain/partners/partner-errors';
import { DomainError } from '../../../domain/shared/errors';
import type { Clock } from '../../../domain/shared/ports';
import type { HttpTransport, WireAnswer, WireRequest } from './http-transport';
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
  readonly request: Omit<WireRequest, 'deadline'>;
}

/** Sends one request, reads its answer and tells the trace how it went. Throws what `read` throws, and PartnerUnreachable. */
export class LegExchange {
  constructor(private readonly deps: { transport: HttpTransport; clock: Clock }) {}

  async run<Reply>({ relay, leg, attempt, request }: LegRequest, read: (answer: WireAnswer) => Reply): Promise<Reply> {
    const { transport, clock } = this.deps;
    const startedAt = clock.now();
    let status: number | undefined;
    let retryAfterS: number | undefined;
    const tell = (failure: { errorCode?: string; cause?: string | undefined }): void =>
      relay.trace.leg({ to: leg.side, step: leg.step, attempt, startedAt, ms: clock.now() - startedAt, status, ...failure, retryAfterS });
    try {
      const answer = await transport.send({ ...request, deadline: relay.deadline });
      status = answer.status;
      retryAfterS = secondsOf(answer.retryAfter, clock.now());
      const reply = read(answer);
      tell({});
      return reply;
    } catch (thrown) {
      const error = thrown instanceof NoAnswer ? unreachable(leg, thrown) : thrown;
      tell(error instanceof DomainError ? { errorCode: error.code, cause: error.details.cause } : { errorCode: 'UNKNOWN_ERROR' });
      throw error;
    }
  }
}

const unreachable = (leg: PartnerLeg, { reason, staleConnection }: NoAnswer): PartnerUnreachable =>
  staleConnection ? new StaleConnection(leg) : new PartnerUnreachable(leg, reason);
