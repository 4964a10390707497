import { ContainerModule } from 'inversify';
import { ReconciliationWorker } from '../../adapters/in/worker/reconciliation-worker';
import { PostgresStatusPollRepository } from '../../adapters/out/postgres/payments/postgres-status-poll-repository';
import { PollPaymentNow } from '../../domain/payments/poll-payment-now';
import { pollTimesMs } from '../../domain/payments/poll-plan';
import { ReconcilePayments } from '../../domain/payments/reconcile-payments';
import { provide } from '../tokens/token';
import { T } from '../tokens/tokens';

/** What a status poll needs, by schedule or at once. */
const polling = {
  payments: T.orderPayments,
  directory: T.directory,
  hostApp: T.hostAppPayments,
  users: T.callAsStoredUser,
  exchanges: T.exchangeLog,
  dispatch: T.deliveryDispatch,
  notifier: T.deliveryNotifier,
  clock: T.clock,
  ids: T.ids,
  log: T.log,
  tracing: T.tracing,
  settings: T.settings,
} as const;

/** Reconciliation of payments in process: the schedule of polls and the worker. */
export const reconciliation = new ContainerModule(({ bind }) => {
  bind(T.pollTimesMs).toConstantValue(pollTimesMs);
  provide(bind, T.statusPollRepository, { db: T.db }, ({ db }) => new PostgresStatusPollRepository(db));
  provide(
    bind,
    T.reconcilePayments,
    {
      ...polling,
      polls: T.statusPollRepository,
      timesMs: T.pollTimesMs,
    },
    ({ settings, ...deps }) => {
      const { paymentTimeoutMs: timeoutMs, reconcileMaxPerSecond: maxPerSecond } = settings;
      return new ReconcilePayments({ ...deps, timeoutMs, maxPerSecond });
    },
  );
  provide(
    bind,
    T.pollPaymentNow,
    { ...polling, repository: T.paymentRecordRepository, limiter: T.limiter },
    ({ settings, ...deps }) => new PollPaymentNow({ ...deps, timeoutMs: settings.paymentTimeoutMs }),
  );
  provide(bind, T.reconciliationWorker, { reconcilePayments: T.reconcilePayments, log: T.log }, (deps) => new ReconciliationWorker(deps));
});
