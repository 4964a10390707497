import { setTimeout as pause } from 'node:timers/promises';
import { ContainerModule } from 'inversify';
import { DeliveryWorker } from '../../adapters/in/worker/delivery-worker';
import { InProcessDeliveryNotifier } from '../../adapters/in/worker/in-process-delivery-notifier';
import { DeliveryNotices } from '../../adapters/out/postgres/deliveries/delivery-notices';
import { PostgresDeliveryRepository } from '../../adapters/out/postgres/deliveries/postgres-delivery-repository';
import { PostgresDeliveryFigureReader } from '../../adapters/out/postgres/deliveries/postgres-delivery-figure-reader';
import { PostgresDeliveryQueue } from '../../adapters/out/postgres/deliveries/postgres-delivery-queue';
import { PostgresEventOutboxStore } from '../../adapters/out/postgres/deliveries/postgres-event-outbox-store';
import { PostgresEndpointQueueRepository } from '../../adapters/out/postgres/deliveries/postgres-endpoint-queue-repository';
import { PostgresDeliveryPayloadReader } from '../../adapters/out/postgres/deliveries/postgres-delivery-payload-reader';
import { PostgresPaymentRecordRepository } from '../../adapters/out/postgres/payments/postgres-payment-record-repository';
import { PostgresPaymentFigureReader } from '../../adapters/out/postgres/payments/postgres-payment-figure-reader';
import { PostgresResendRepository } from '../../adapters/out/postgres/deliveries/postgres-resend-repository';
import { MathRandomGenerator } from '../../adapters/out/system/math-random-generator';
import { DeliverDue } from '../../domain/deliveries/deliver-due';
import { DraftDelivery } from '../../domain/deliveries/draft-delivery';
import { StepResends } from '../../domain/deliveries/resend-deliveries';
import { WakeParked } from '../../domain/deliveries/wake-parked';
import { provide } from '../tokens/token';
import { T } from '../tokens/tokens';

/** Deliveries to partners: the store, the worker, and the operator's view of them. */
export const deliverySide = new ContainerModule(({ bind }) => {
  provide(bind, T.chance, {}, () => new MathRandomGenerator());
  provide(bind, T.inProcessDeliveryNotifier, { db: T.db }, ({ db }) => {
    const notices = new DeliveryNotices(db);
    return new InProcessDeliveryNotifier(() => void notices.send());
  });
  provide(bind, T.deliveryNotifier, { notifier: T.inProcessDeliveryNotifier }, ({ notifier }) => notifier);
  provide(bind, T.postgresQueue, { db: T.db, box: T.secretCipher }, (deps) => new PostgresDeliveryQueue(deps));
  provide(bind, T.deliveryQueue, { queue: T.countedQueue }, ({ queue }) => queue);
  provide(bind, T.eventOutbox, { db: T.db, box: T.secretCipher, index: T.referenceIndex }, (deps) => new PostgresEventOutboxStore(deps));
  provide(bind, T.deliveryRepository, { db: T.db }, ({ db }) => new PostgresDeliveryRepository(db));
  provide(bind, T.resendRepository, { db: T.db }, ({ db }) => new PostgresResendRepository(db));
  provide(bind, T.endpointQueueRepository, { db: T.db }, ({ db }) => new PostgresEndpointQueueRepository(db));
  provide(bind, T.paymentRecordRepository, { db: T.db, box: T.secretCipher }, (deps) => new PostgresPaymentRecordRepository(deps));
  provide(bind, T.paymentFigures, { db: T.db }, ({ db }) => new PostgresPaymentFigureReader(db));
  provide(bind, T.deliveryFigures, { db: T.db }, ({ db }) => new PostgresDeliveryFigureReader(db));
  provide(bind, T.deliveryGateway, { http: T.partnerHttp }, ({ http }) => http.deliveries);
  provide(
    bind,
    T.deliverDue,
    {
      ...{ queue: T.deliveryQueue, directory: T.directory, gateway: T.deliveryGateway, notifier: T.deliveryNotifier },
      ...{ clock: T.clock, chance: T.chance, log: T.log, settings: T.settings },
    },
    ({ settings, ...deps }) => new DeliverDue({ ...deps, pause: (ms) => pause(ms), timeoutMs: settings.deliveryTimeoutMs }),
  );
  provide(bind, T.deliveryPayloadReader, { db: T.db, box: T.secretCipher }, (deps) => new PostgresDeliveryPayloadReader(deps));
  provide(
    bind,
    T.draftDelivery,
    { payloads: T.deliveryPayloadReader, directory: T.directory, http: T.partnerHttp, clock: T.clock, settings: T.settings },
    ({ http, settings, ...deps }) =>
      new DraftDelivery({
        ...{ ...deps, drafts: http.deliveryDrafts },
        ...{ timeoutMs: settings.deliveryTimeoutMs, isAllowed: settings.deliveryRequests },
      }),
  );
  provide(bind, T.stepResends, { repository: T.resendRepository }, (deps) => new StepResends(deps));
  provide(
    bind,
    T.wakeParked,
    { queue: T.deliveryQueue, notifier: T.inProcessDeliveryNotifier, log: T.log },
    (deps) => new WakeParked(deps),
  );
  provide(
    bind,
    T.deliveryWorker,
    { deliverDue: T.deliverDue, stepResends: T.stepResends, notifier: T.inProcessDeliveryNotifier, log: T.log },
    (deps) => new DeliveryWorker(deps),
  );
  provide(bind, T.deliveryDispatch, { worker: T.deliveryWorker }, ({ worker }) => worker);
});
