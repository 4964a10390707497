import type { Express } from 'express';
import { Container } from 'inversify';
import type { DataSource } from 'typeorm';
import { warmPool } from '../../adapters/out/postgres/health/warm-pool';
import { openReferenceIndex } from '../../adapters/out/postgres/sealing/reference-index';
import { PostgresExchangeLog } from '../../adapters/out/postgres/exchanges/postgres-exchange-log';
import { NotedSecretCipher } from '../../adapters/out/telemetry/noted-secret-cipher';
import { type Sample, samplesOf } from '../../adapters/out/telemetry/sample';
import { AesSecretCipher } from '../../adapters/out/secrets/secret-cipher';
import type { StartSecrets } from '../../config/development-secrets';
import type { Settings } from '../../config/settings';
import type { Tracing } from '../../domain/exchanges/tracing';
import type { Log } from '../../domain/shared/ports';
import { accountSide } from '../modules/accounts.module';
import { noteAuditHead } from '../tasks/audit-once';
import { auditWarnings } from '../tasks/audit-warning';
import { deliverySide } from '../modules/delivery.module';
import { useCases } from '../modules/domain.module';
import { httpSide, manageSide } from '../modules/http.module';
import { insight } from '../modules/insight.module';
import { withMatchingKeys } from '../tasks/key-ring-mismatch';
import { manageUseCases } from '../modules/manage-use-cases.module';
import { metrics } from '../modules/metrics.module';
import { openTraces } from './open-traces';
import { operationsSide } from '../modules/operations.module';
import { partnerHttp } from '../modules/partner-http.module';
import { startPruning } from '../tasks/prune';
import { reconciliation } from '../modules/reconcile.module';
import { storage } from '../modules/storage.module';
import { technique } from '../modules/technique.module';
import { resolve } from '../tokens/token';
import { T } from '../tokens/tokens';

/** The metrics of a process and, on request, those that all processes share. */
export type Scrape = (wanted: { readonly shared: boolean }) => Promise<readonly Sample[]>;

/** Parts that are opened beforehand, because the container itself is synchronous. */
export interface ServiceContext {
  readonly settings: Settings;
  readonly secrets: StartSecrets;
  /** Connected and migrated. */
  readonly db: DataSource;
  readonly log: Log;
  /** Called once when the operator asks this instance to leave. Absent: the request has no effect. */
  readonly onDrain?: () => void;
}

/** A composed service, not yet listening. */
export interface ComposedService {
  readonly app: Express;
  readonly container: Container;
  readonly scrape: Scrape;
  /**
   * Resolves when the database has opened its connections and accepted a write, or cannot. After that, callers are served or get the reason
   * why not.
   */
  warmUp(): Promise<void>;
  /** Makes the instance not ready, so that a load balancer stops sending calls. */
  beginStop(): void;
  /** Writes buffered records and ends periodic work. The database stays open. */
  close(): Promise<void>;
}

/** Every module of the service, the innermost first. */
const modules = [
  ...[technique, storage, partnerHttp, deliverySide, reconciliation, insight],
  ...[operationsSide, metrics, useCases, manageUseCases, accountSide, httpSide, manageSide],
];

/**
 * Composes the service. `change` may rebind keys before anything is resolved. Resolves the application once, so that a wiring error fails
 * the start.
 */
export async function composeService(
  context: ServiceContext,
  change: (container: Container) => void = () => undefined,
): Promise<ComposedService> {
  const { secrets, db, log } = context;
  const box = new NotedSecretCipher(new AesSecretCipher(secrets.encryptionKeys), log);
  const exchangeLog = new PostgresExchangeLog({ db, log });
  const traces = await openTraces(context);
  let stopping = false;

  const container = new Container({ defaultScope: 'Singleton' });
  bindContext(container, { ...context, box, tracing: traces?.tracing });
  container.bind(T.referenceIndex).toConstantValue(await withMatchingKeys(context.settings, () => openReferenceIndex(db, box)));
  container.bind(T.postgresExchanges).toConstantValue(exchangeLog);
  container.bind(T.readiness).toConstantValue(async () => (stopping ? ['stopping'] : reasonsNotToServe(container)));
  container.bind(T.warnings).toConstantValue(await auditWarnings(db, context.settings, log));
  container.load(...modules);
  change(container);

  const app = resolve(container, T.app);
  const background = await startBackground(container);
  const operations = startOperations(container, context.onDrain);
  return {
    app,
    container,
    scrape: ({ shared }) => samplesOf([T.ownSamples, ...(shared ? [T.sharedSamples] : [])].map((source) => resolve(container, source))),
    warmUp: () => warmUp(container),
    beginStop: () => {
      stopping = true;
      resolve(container, T.eventStreamHub).stop();
      void background.endDelivering();
    },
    close: async () => {
      await background.stop();
      await operations.stop();
      resolve(container, T.partnerHttp).close();
      for (const kept of flushedOnClose) await resolve<{ close(): Promise<void> }>(container, kept).close();
      await Promise.all([exchangeLog.close(), traces?.close()]);
    },
  };
}

async function reasonsNotToServe(container: Container): Promise<readonly string[]> {
  return [...(await resolve(container, T.databaseHealth).reasons()), ...resolve(container, T.clockWatch).reasons()];
}

async function warmUp(container: Container): Promise<void> {
  await warmPool(resolve(container, T.db));
  await resolve(container, T.databaseHealth).reasons();
}

interface Opened extends ServiceContext {
  readonly box: NotedSecretCipher;
  readonly tracing: Tracing | undefined;
}

function bindContext(container: Container, { settings, secrets, db, log, box, tracing }: Opened): void {
  container.bind(T.settings).toConstantValue(settings);
  container.bind(T.log).toConstantValue(log);
  container.bind(T.db).toConstantValue(db);
  container.bind(T.secretCipher).toConstantValue(box);
  container.bind(T.notedBox).toConstantValue(box);
  container.bind(T.tracing).toConstantValue(tracing);
  container.bind(T.encryptionKeyIds).toConstantValue(secrets.encryptionKeys.map(({ id }) => id));
  container.bind(T.operatorToken).toConstantValue(secrets.operatorToken);
}

/** Records that are buffered in memory and written soon after. */
const flushedOnClose = [T.postgresCredentialUses, T.postgresRefusals, T.callerRepository, T.dryRunRepository, T.refreshRepository];

/** Long runs that operators start. */
const longRuns = [T.rewrapRuns, T.conformanceRuns];

/** Announces this instance until it has stopped. */
function startOperations(container: Container, onDrain: () => void = () => undefined): { stop(): Promise<void> } {
  const announcer = resolve(container, T.announcer);
  announcer.start(onDrain);
  return {
    stop: async () => {
      await Promise.all(longRuns.map((runs) => resolve<{ stop(): Promise<void> }>(container, runs).stop()));
      await announcer.stop();
    },
  };
}

/** Starts the background work after the first measurement of the clock. */
async function startBackground(container: Container): Promise<{ endDelivering(): Promise<void>; stop(): Promise<void> }> {
  const clockWatch = resolve(container, T.clockWatch);
  await clockWatch.start();
  const log = resolve(container, T.log);
  const pruning = startPruning(resolve(container, T.pruned), log, () => noteAuditHead(resolve(container, T.auditChain), log));
  const worker = resolve(container, T.deliveryWorker);
  const reconciling = resolve(container, T.reconciliationWorker);
  const summing = [T.figureWorker, T.paymentFigureWorker, T.moneyWorker].map((one) => resolve(container, one));
  const overload = resolve(container, T.overload);
  const circuits = resolve(container, T.circuitWorker);
  const health = resolve(container, T.databaseHealth);
  const feed = resolve(container, T.partnerFeed);
  const directory = resolve(container, T.cachedDirectory);
  const wakeParked = resolve(container, T.wakeParked);
  feed.start(
    (change) => {
      directory.forget(change);
      void wakeParked.execute(change === 'anything' ? {} : change);
    },
    () => {
      resolve(container, T.deliveryNotifier).notify();
    },
  );
  for (const one of [worker, overload, circuits, health, reconciling, ...summing]) one.start();
  return {
    endDelivering: async () => {
      await Promise.all([worker.stop(), reconciling.stop()]);
    },
    stop: async () => {
      await worker.stop();
      await reconciling.stop();
      for (const figures of summing) await figures.stop();
      overload.stop();
      await Promise.all([health.stop(), circuits.stop()]);
      clockWatch.stop();
      await pruning.stop();
      await feed.stop();
    },
  };
}
