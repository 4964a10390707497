import { setTimeout as pause } from 'node:timers/promises';
import { ContainerModule } from 'inversify';
import { DeliveryWorker } from '../adapters/in/worker/delivery-worker';
import { InProcessBell } from '../adapters/in/worker/in-process-bell';
import { DeliveryNotices } from '../adapters/out/postgres/delivery-notices';
import { PostgresDeliveryBook } from '../adapters/out/postgres/postgres-delivery-book';
import { PostgresDeliveryFigures } from '../adapters/out/postgres/postgres-delivery-figures';
import { PostgresDeliveryQueue } from '../adapters/out/postgres/postgres-delivery-queue';
import { PostgresEventOutbox } from '../adapters/out/postgres/postgres-event-outbox';
import { PostgresLaneBook } from '../adapters/out/postgres/postgres-lane-book';
import { PostgresOwedVault } from '../adapters/out/postgres/postgres-owed-vault';
import { PostgresPaymentBook } from '../adapters/out/postgres/postgres-payment-book';
import { PostgresPaymentFigures } from '../adapters/out/postgres/postgres-payment-figures';
import { PostgresResendBook } from '../adapters/out/postgres/postgres-resend-book';
import { RandomChance } from '../adapters/out/system/random-chance';
import { DeliverDue } from '../domain/deliveries/deliver-due';
import { DraftDelivery } from '../domain/deliveries/draft-delivery';
import { StepResends } from '../domain/deliveries/resend-deliveries';
import { WakeParked } from '../domain/deliveries/wake-parked';
import { provide } from './token';
import { T } from './tokens';

/** Deliveries to partners: the store, the worker, and the operator's view of them. */
export const deliverySide = new ContainerModule(({ bind }) => {
  provide(bind, T.chance, {}, () => new RandomChance());
  provide(bind, T.inProcessBell, { db: T.db }, ({ db }) => {
    const notices = new DeliveryNotices(db);
    return new InProcessBell(() => void notices.tell());
  });
  provide(bind, T.deliveryBell, { bell: T.inProcessBell }, ({ bell }) => bell);
  provide(bind, T.postgresQueue, { db: T.db, box: T.secretBox }, (deps) => new PostgresDeliveryQueue(deps));
  provide(bind, T.deliveryQueue, { queue: T.countedQueue }, ({ queue }) => queue);
  provide(bind, T.eventOutbox, { db: T.db, box: T.secretBox, index: T.referenceIndex }, (deps) => new PostgresEventOutbox(deps));
  provide(bind, T.deliveryBook, { db: T.db }, ({ db }) => new PostgresDeliveryBook(db));
  provide(bind, T.resendBook, { db: T.db }, ({ db }) => new PostgresResendBook(db));
  provide(bind, T.laneBook, { db: T.db }, ({ db }) => new PostgresLaneBook(db));
  provide(bind, T.paymentBook, { db: T.db, box: T.secretBox }, (deps) => new PostgresPaymentBook(deps));
  provide(bind, T.paymentFigures, { db: T.db }, ({ db }) => new PostgresPaymentFigures(db));
  provide(bind, T.deliveryFigures, { db: T.db }, ({ db }) => new PostgresDeliveryFigures(db));
  provide(bind, T.deliveryGateway, { http: T.partnerHttp }, ({ http }) => http.deliveries);
  provide(
    bind,
    T.deliverDue,
    {
      ...{ queue: T.deliveryQueue, directory: T.directory, gateway: T.deliveryGateway, bell: T.deliveryBell },
      ...{ clock: T.clock, chance: T.chance, log: T.log, settings: T.settings },
    },
    ({ settings, ...deps }) => new DeliverDue({ ...deps, pause: (ms) => pause(ms), timeoutMs: settings.deliveryTimeoutMs }),
  );
  provide(bind, T.owedVault, { db: T.db, box: T.secretBox }, (deps) => new PostgresOwedVault(deps));
  provide(
    bind,
    T.draftDelivery,
    { vault: T.owedVault, directory: T.directory, http: T.partnerHttp, clock: T.clock, settings: T.settings },
    ({ http, settings, ...deps }) =>
      new DraftDelivery({
        ...{ ...deps, drafts: http.deliveryDrafts },
        ...{ timeoutMs: settings.deliveryTimeoutMs, isAllowed: settings.deliveryRequests },
      }),
  );
  provide(bind, T.stepResends, { book: T.resendBook }, (deps) => new StepResends(deps));
  provide(bind, T.wakeParked, { queue: T.deliveryQueue, bell: T.inProcessBell, log: T.log }, (deps) => new WakeParked(deps));
  provide(
    bind,
    T.deliveryWorker,
    { deliverDue: T.deliverDue, stepResends: T.stepResends, bell: T.inProcessBell, log: T.log },
    (deps) => new DeliveryWorker(deps),
  );
  provide(bind, T.deliveryDispatch, { worker: T.deliveryWorker }, ({ worker }) => worker);
});
