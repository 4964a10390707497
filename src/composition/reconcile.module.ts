import { ContainerModule } from 'inversify';
import { ReconciliationWorker } from '../adapters/in/worker/reconciliation-worker';
import { PostgresPaymentAsks } from '../adapters/out/postgres/postgres-payment-asks';
import { AskPaymentNow } from '../domain/payments/ask-payment-now';
import { askTimesMs } from '../domain/payments/ask-plan';
import { ReconcilePayments } from '../domain/payments/reconcile-payments';
import { provide } from './token';
import { T } from './tokens';

/** Payments that stay in process: when their host apps are asked, and who asks. */
export const reconciliation = new ContainerModule(({ bind }) => {
  bind(T.askTimesMs).toConstantValue(askTimesMs);
  provide(bind, T.paymentAsks, { db: T.db }, ({ db }) => new PostgresPaymentAsks(db));
  provide(
    bind,
    T.reconcilePayments,
    {
      ...{ asks: T.paymentAsks, payments: T.orderPayments, directory: T.directory, hostApp: T.hostAppPayments, users: T.callAsStoredUser },
      ...{
        exchanges: T.exchangeLog,
        dispatch: T.deliveryDispatch,
        bell: T.deliveryBell,
        clock: T.clock,
        ids: T.ids,
        log: T.log,
        timesMs: T.askTimesMs,
      },
      ...{ tracing: T.tracing, settings: T.settings },
    },
    ({ settings, ...deps }) => {
      const { paymentTimeoutMs: timeoutMs, reconcileMaxPerSecond: maxPerSecond } = settings;
      return new ReconcilePayments({ ...deps, timeoutMs, maxPerSecond });
    },
  );
  provide(
    bind,
    T.askPaymentNow,
    {
      ...{ book: T.paymentBook, payments: T.orderPayments, directory: T.directory, hostApp: T.hostAppPayments, users: T.callAsStoredUser },
      ...{
        exchanges: T.exchangeLog,
        dispatch: T.deliveryDispatch,
        bell: T.deliveryBell,
        clock: T.clock,
        ids: T.ids,
        log: T.log,
        limiter: T.limiter,
      },
      ...{ tracing: T.tracing, settings: T.settings },
    },
    ({ settings, ...deps }) => new AskPaymentNow({ ...deps, timeoutMs: settings.paymentTimeoutMs }),
  );
  provide(bind, T.reconciliationWorker, { reconcilePayments: T.reconcilePayments, log: T.log }, (deps) => new ReconciliationWorker(deps));
});
