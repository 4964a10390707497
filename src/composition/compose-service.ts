import type { RequestListener } from 'node:http';
import { Container } from 'inversify';
import type { DataSource } from 'typeorm';
import { openReferenceIndex } from '../adapters/out/postgres/reference-index';
import { PostgresExchangeLog } from '../adapters/out/postgres/postgres-exchange-log';
import { AesSecretBox } from '../adapters/out/secrets/secret-box';
import type { StartSecrets } from '../config/development-secrets';
import type { Settings } from '../config/settings';
import type { Log } from '../domain/shared/ports';
import { noteAuditHead } from './audit-once';
import { deliverySide } from './delivery.module';
import { useCases } from './domain.module';
import { httpSide, manageSide } from './http.module';
import { partnerHttp } from './partner-http.module';
import { startPruning } from './prune';
import { reconciliation } from './reconcile.module';
import { isReachable, storage } from './storage.module';
import { technique } from './technique.module';
import { resolve } from './token';
import { T } from './tokens';

/** What is opened outside and handed in; the container itself is synchronous. */
export interface Surroundings {
  readonly settings: Settings;
  readonly secrets: StartSecrets;
  /** Connected and migrated. */
  readonly db: DataSource;
  readonly log: Log;
}

/** A composed service, not yet listening. */
export interface ComposedService {
  readonly app: RequestListener;
  readonly container: Container;
  /** From now on not ready, so that a load balancer looks elsewhere. */
  beginStop(): void;
  /** Writes what is buffered, ends what runs on a beat. The database stays open. */
  close(): Promise<void>;
}

/**
 * Wires the service. `change` may rebind a name before anything is resolved. Resolves the application once, so that a wiring
 * mistake is a failed start.
 */
export async function composeService(
  around: Surroundings,
  change: (container: Container) => void = () => undefined,
): Promise<ComposedService> {
  const { settings, secrets, db, log } = around;
  const box = new AesSecretBox(secrets.encryptionKeys);
  const index = await openReferenceIndex(db, box);
  const exchangeLog = new PostgresExchangeLog({ db, log });
  let stopping = false;

  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(T.settings).toConstantValue(settings);
  container.bind(T.log).toConstantValue(log);
  container.bind(T.db).toConstantValue(db);
  container.bind(T.secretBox).toConstantValue(box);
  container.bind(T.referenceIndex).toConstantValue(index);
  container.bind(T.exchangeLog).toConstantValue(exchangeLog);
  container.bind(T.operatorToken).toConstantValue(secrets.operatorToken);
  container.bind(T.readiness).toConstantValue(async () => {
    if (stopping) return ['stopping'];
    return (await isReachable(db)) ? [] : ['database'];
  });
  container.load(technique, storage, partnerHttp, deliverySide, reconciliation, useCases, httpSide, manageSide);
  change(container);

  const app = resolve(container, T.app);
  const background = startBackground(container);
  return {
    app,
    container,
    beginStop: () => {
      stopping = true;
      void background.endDelivering();
    },
    close: async () => {
      await background.stop();
      resolve(container, T.partnerHttp).close();
      for (const kept of [T.postgresCredentialUses, T.postgresRefusals]) await resolve<{ close(): Promise<void> }>(container, kept).close();
      await exchangeLog.close();
    },
  };
}

/** Starts what runs by itself. */
function startBackground(container: Container): { endDelivering(): Promise<void>; stop(): Promise<void> } {
  const log = resolve(container, T.log);
  const pruning = startPruning(resolve(container, T.pruned), log, () => noteAuditHead(resolve(container, T.auditChain), log));
  const worker = resolve(container, T.deliveryWorker);
  const reconciling = resolve(container, T.reconciliationWorker);
  const overload = resolve(container, T.overload);
  const feed = resolve(container, T.partnerFeed);
  const directory = resolve(container, T.cachedDirectory);
  const wakeParked = resolve(container, T.wakeParked);
  feed.start(
    (change) => {
      directory.forget(change);
      void wakeParked.execute(change === 'anything' ? {} : change);
    },
    () => {
      resolve(container, T.deliveryBell).ring();
    },
  );
  worker.start();
  overload.start();
  reconciling.start();
  return {
    endDelivering: async () => {
      await Promise.all([worker.stop(), reconciling.stop()]);
    },
    stop: async () => {
      await worker.stop();
      await reconciling.stop();
      overload.stop();
      await pruning.stop();
      await feed.stop();
    },
  };
}
