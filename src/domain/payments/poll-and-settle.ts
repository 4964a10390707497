import { ExchangeTrace, type Ending, type Leg, type Relay } from '../exchanges/exchange';
import type { ExchangeLog } from '../exchanges/ports';
import type { Tracing } from '../exchanges/tracing';
import { DomainError, Unavailable } from '../shared/errors';
import { errorFields } from '../shared/fault';
import type { Clock, IdGenerator, Log } from '../shared/ports';
import type { CallAsStoredUser } from '../sso/call-as-stored-user';
import { asCompletion, pollHostApp, type StatusPoll } from './poll-host-app';
import type { HostAppPaymentGateway, StatusReport } from './ports';
import { settleAndDeliver, type SettleAndDeliverDeps } from './settle-and-deliver';

export interface PollAndSettleDeps extends SettleAndDeliverDeps {
  readonly hostApp: Pick<HostAppPaymentGateway, 'status'>;
  readonly users: Pick<CallAsStoredUser, 'execute'>;
  readonly exchanges: ExchangeLog;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly log: Log;
  /** Timeout of one poll, in milliseconds. */
  readonly timeoutMs: number;
  /** Absent when tracing is off. */
  readonly tracing?: Pick<Tracing, 'poll'> | undefined;
}

/** The result of a poll. */
export interface PollAnswer {
  /** When it was made, in milliseconds since the epoch. */
  readonly at: number;
  /** The host app's status word, or the error code of a failure. */
  readonly outcome: string;
  /** The last call to the host app. Absent when none was made. */
  readonly leg: Leg | undefined;
}

/** The name of a poll in exchange records and traces. */
const call = 'reconcile';
/** The status in a poll's exchange record: the one that get-payment-status would have answered. */
const statusOf = { answered: 200, refused: 400, fault: 500, unavailable: 503 } as const;

type Answered = Ending & { readonly outcome: string };

/**
 * Polls a host app for the status of a payment. A final status settles the payment as a call of complete-order would; the poll has an
 * exchange record of its own, `reconcile`.
 */
export class PollAndSettle {
  constructor(private readonly deps: PollAndSettleDeps) {}

  /** `requestId` is the id of the call that causes the poll; absent: a new id. Throws Unavailable. */
  async execute(parts: Omit<StatusPoll, 'relay'>, requestId = this.deps.ids.next()): Promise<PollAnswer> {
    const { clock, ids, exchanges, timeoutMs, tracing } = this.deps;
    const at = clock.now();
    const trace = new ExchangeTrace();
    trace.partOf(parts.payment.id);
    const span = tracing?.poll({ name: call, requestId });
    const relay: Relay = { requestId, deadline: at + timeoutMs, trace, origin: span && { call: span.traceparent } };
    const { outcome, ...ending } = await this.answerTo({ relay, ...parts });
    const { hostApp, miniapp } = parts.integration;
    const of = { id: ids.next(), requestId, call, clientId: hostApp.id, appId: miniapp.id };
    exchanges.append(trace.record({ ...of, at, ms: clock.now() - at }, ending));
    span?.end({ ...ending, clientId: of.clientId, appId: of.appId, exchangeId: of.id });
    if (ending.status === statusOf.unavailable) throw new Unavailable('database-away');
    return { at, outcome, leg: trace.lastLeg };
  }

  /** Returns the host app's status after settling a final one, or the error code of a failure. */
  private async answerTo(poll: StatusPoll): Promise<Answered> {
    try {
      const report = await pollHostApp(this.deps, poll);
      const isTaken = await this.settle(poll, report);
      if (isTaken) return { outcome: report.word, status: statusOf.answered };
      return { outcome: report.word, status: statusOf.refused, errorCode: 'INVALID_PAYMENT_STATUS', side: 'hostapp', step: 'status' };
    } catch (error) {
      return this.failureOf(poll, error);
    }
  }

  /** Resolves to false when the payment has another result by now; this one is stored as a conflict. */
  private async settle(poll: StatusPoll, report: StatusReport): Promise<boolean> {
    const completion = asCompletion(poll, report, this.deps.clock.now());
    const { outcome, payment } = await settleAndDeliver(this.deps, poll.payment, completion);
    if (outcome === 'settled') this.deps.log.info('payment.reconciled', { payment_id: payment.id, status: payment.status });
    return outcome !== 'refused';
  }

  private failureOf({ payment }: StatusPoll, error: unknown): Answered {
    if (!(error instanceof DomainError)) {
      this.deps.log.warn('reconcile.fault', { payment_id: payment.id, ...errorFields(error) });
      return { outcome: 'UNKNOWN_ERROR', status: statusOf.fault, errorCode: 'UNKNOWN_ERROR', side: 'platform' };
    }
    const { code, kind, details } = error;
    const status = kind === 'unavailable' || kind === 'fault' ? statusOf[kind] : statusOf.refused;
    return { outcome: code, status, errorCode: code, side: details.side, step: details.step };
  }
}
