import { ContainerModule } from 'inversify';
import { ReconciliationWorker } from '../../adapters/in/worker/reconciliation-worker';
import { PostgresStatusPollRepository } from '../../adapters/out/postgres/payments/postgres-status-poll-repository';
import { PollPaymentNow } from '../../domain/payments/poll-payment-now';
import { pollTimesMs } from '../../domain/payments/poll-plan';
import { ReconcilePayments } from '../../domain/payments/reconcile-payments';
import { provide } from '../tokens/token';
import { T } from '../tokens/tokens';

/** Reconciliation of payments in process: the schedule of polls and the worker. */
export const reconciliation = new ContainerModule(({ bind }) => {
  bind(T.pollTimesMs).toConstantValue(pollTimesMs);
  provide(bind, T.statusPollRepository, { db: T.db }, ({ db }) => new PostgresStatusPollRepository(db));
  provide(
    bind,
    T.reconcilePayments,
    {
      ...{
        polls: T.statusPollRepository,
        payments: T.orderPayments,
        directory: T.directory,
        hostApp: T.hostAppPayments,
        users: T.callAsStoredUser,
      },
      ...{
        exchanges: T.exchangeLog,
        dispatch: T.deliveryDispatch,
        notifier: T.deliveryNotifier,
        clock: T.clock,
        ids: T.ids,
        log: T.log,
        timesMs: T.pollTimesMs,
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
    T.pollPaymentNow,
    {
      ...{
        repository: T.paymentRecordRepository,
        payments: T.orderPayments,
        directory: T.directory,
        hostApp: T.hostAppPayments,
        users: T.callAsStoredUser,
      },
      ...{
        exchanges: T.exchangeLog,
        dispatch: T.deliveryDispatch,
        notifier: T.deliveryNotifier,
        clock: T.clock,
        ids: T.ids,
        log: T.log,
        limiter: T.limiter,
      },
      ...{ tracing: T.tracing, settings: T.settings },
    },
    ({ settings, ...deps }) => new PollPaymentNow({ ...deps, timeoutMs: settings.paymentTimeoutMs }),
  );
  provide(bind, T.reconciliationWorker, { reconcilePayments: T.reconcilePayments, log: T.log }, (deps) => new ReconciliationWorker(deps));
});
