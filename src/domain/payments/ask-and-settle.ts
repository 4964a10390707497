import { ExchangeTrace, type Ending, type Leg, type Relay } from '../exchanges/exchange';
import type { ExchangeLog } from '../exchanges/ports';
import type { Tracing } from '../exchanges/tracing';
import { DomainError, Unavailable } from '../shared/errors';
import { factsOfFault } from '../shared/fault';
import type { Clock, IdSource, Log } from '../shared/ports';
import type { CallAsStoredUser } from '../sso/call-as-stored-user';
import { asCompletion, askHostApp, type StatusAsk } from './ask-host-app';
import type { HostAppPaymentGateway, StatusReport } from './ports';
import { settleAndDeliver, type SettleAndDeliverDeps } from './settle-and-deliver';

export interface AskAndSettleDeps extends SettleAndDeliverDeps {
  readonly hostApp: Pick<HostAppPaymentGateway, 'status'>;
  readonly users: Pick<CallAsStoredUser, 'execute'>;
  readonly exchanges: ExchangeLog;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  /** Milliseconds that one ask may take. */
  readonly timeoutMs: number;
  /** Absent: nothing is traced. */
  readonly tracing?: Pick<Tracing, 'ask'> | undefined;
}

/** How an ask went. */
export interface AskAnswer {
  /** When it was made, in milliseconds since the epoch. */
  readonly at: number;
  /** The word that the host app said, or the code that says why there is none. */
  readonly outcome: string;
  /** The last call that was made to the host app. */
  readonly leg: Leg | undefined;
}

/** Under which name an ask is recorded and traced. */
const call = 'reconcile';
/** With which status get-payment-status would have answered; the record of an ask has it. */
const statusOf = { answered: 200, refused: 400, fault: 500, unavailable: 503 } as const;

type Answered = Ending & { readonly outcome: string };

/**
 * Asks a host app, on our own account, how a payment stands. A final answer settles it as if the host app had called to complete
 * it; the ask is an exchange of its own, `reconcile`.
 */
export class AskAndSettle {
  constructor(private readonly deps: AskAndSettleDeps) {}

  /** `requestId`: of the call that wants it; absent: nobody called. Throws Unavailable. */
  async execute(parts: Omit<StatusAsk, 'relay'>, requestId = this.deps.ids.next()): Promise<AskAnswer> {
    const { clock, ids, exchanges, timeoutMs, tracing } = this.deps;
    const at = clock.now();
    const trace = new ExchangeTrace();
    trace.partOf(parts.payment.id);
    const span = tracing?.ask({ name: call, requestId });
    const relay: Relay = { requestId, deadline: at + timeoutMs, trace, origin: span && { call: span.traceparent } };
    const { outcome, ...ending } = await this.answerTo({ relay, ...parts });
    const { hostApp, miniapp } = parts.integration;
    const of = { id: ids.next(), requestId, call, clientId: hostApp.id, appId: miniapp.id };
    exchanges.append(trace.record({ ...of, at, ms: clock.now() - at }, ending));
    span?.end({ ...ending, clientId: of.clientId, appId: of.appId, exchangeId: of.id });
    if (ending.status === statusOf.unavailable) throw new Unavailable('database-away');
    return { at, outcome, leg: trace.lastLeg };
  }

  /** What the host app says, settled where it is final; or the code of what went wrong. */
  private async answerTo(ask: StatusAsk): Promise<Answered> {
    try {
      const report = await askHostApp(this.deps, ask);
      const isTaken = await this.settle(ask, report);
      if (isTaken) return { outcome: report.word, status: statusOf.answered };
      return { outcome: report.word, status: statusOf.refused, errorCode: 'INVALID_PAYMENT_STATUS', side: 'hostapp', step: 'status' };
    } catch (error) {
      return this.failureOf(ask, error);
    }
  }

  /** False: another result was taken meanwhile; this one is kept as a conflict. */
  private async settle(ask: StatusAsk, report: StatusReport): Promise<boolean> {
    const said = asCompletion(ask, report, this.deps.clock.now());
    const { outcome, payment } = await settleAndDeliver(this.deps, ask.payment, said);
    if (outcome === 'settled') this.deps.log.info('payment.reconciled', { payment_id: payment.id, status: payment.status });
    return outcome !== 'refused';
  }

  private failureOf({ payment }: StatusAsk, error: unknown): Answered {
    if (!(error instanceof DomainError)) {
      this.deps.log.warn('reconcile.fault', { payment_id: payment.id, ...factsOfFault(error) });
      return { outcome: 'UNKNOWN_ERROR', status: statusOf.fault, errorCode: 'UNKNOWN_ERROR', side: 'platform' };
    }
    const { code, kind, details } = error;
    const status = kind === 'unavailable' || kind === 'fault' ? statusOf[kind] : statusOf.refused;
    return { outcome: code, status, errorCode: code, side: details.side, step: details.step };
  }
}
