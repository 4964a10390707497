import { ContainerModule } from 'inversify';
import { DeliveryWorker } from '../adapters/in/worker/delivery-worker';
import { InProcessBell } from '../adapters/in/worker/in-process-bell';
import { PostgresDeliveryBook } from '../adapters/out/postgres/postgres-delivery-book';
import { PostgresDeliveryQueue } from '../adapters/out/postgres/postgres-delivery-queue';
import { PostgresEventOutbox } from '../adapters/out/postgres/postgres-event-outbox';
import { PostgresPaymentBook } from '../adapters/out/postgres/postgres-payment-book';
import { RandomChance } from '../adapters/out/system/random-chance';
import { DeliverDue } from '../domain/deliveries/deliver-due';
import { provide } from './token';
import { T } from './tokens';

/** What is owed to partners: where it is kept, who delivers it, and what the operator sees of it. */
export const deliverySide = new ContainerModule(({ bind }) => {
  provide(bind, T.chance, {}, () => new RandomChance());
  provide(bind, T.inProcessBell, {}, () => new InProcessBell());
  provide(bind, T.deliveryBell, { bell: T.inProcessBell }, ({ bell }) => bell);
  provide(bind, T.deliveryQueue, { db: T.db, box: T.secretBox }, (deps) => new PostgresDeliveryQueue(deps));
  provide(bind, T.eventOutbox, { db: T.db, box: T.secretBox, index: T.referenceIndex }, (deps) => new PostgresEventOutbox(deps));
  provide(bind, T.deliveryBook, { db: T.db }, ({ db }) => new PostgresDeliveryBook(db));
  provide(bind, T.paymentBook, { db: T.db, box: T.secretBox }, (deps) => new PostgresPaymentBook(deps));
  provide(bind, T.deliveryGateway, { http: T.partnerHttp }, ({ http }) => http.deliveries);
  provide(
    bind,
    T.deliverDue,
    {
      ...{ queue: T.deliveryQueue, directory: T.directory, gateway: T.deliveryGateway, bell: T.deliveryBell },
      ...{ clock: T.clock, chance: T.chance, log: T.log, settings: T.settings },
    },
    ({ settings, ...deps }) => new DeliverDue({ ...deps, timeoutMs: settings.deliveryTimeoutMs }),
  );
  provide(bind, T.deliveryWorker, { deliverDue: T.deliverDue, bell: T.inProcessBell, log: T.log }, (deps) => new DeliveryWorker(deps));
});
