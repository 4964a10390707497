import type { Express } from 'express';
import { Container } from 'inversify';
import type { DataSource } from 'typeorm';
import { warmPool } from '../adapters/out/postgres/health/warm-pool';
import { openReferenceIndex } from '../adapters/out/postgres/reference-index';
import { PostgresExchangeLog } from '../adapters/out/postgres/postgres-exchange-log';
import { NotedSecretBox } from '../adapters/out/telemetry/noted-secret-box';
import { type Sample, samplesOf } from '../adapters/out/telemetry/sample';
import { AesSecretBox } from '../adapters/out/secrets/secret-box';
import type { StartSecrets } from '../config/development-secrets';
import type { Settings } from '../config/settings';
import type { Tracing } from '../domain/exchanges/tracing';
import type { Log } from '../domain/shared/ports';
import { accountSide } from './accounts.module';
import { noteAuditHead } from './audit-once';
import { auditWarnings } from './audit-warning';
import { deliverySide } from './delivery.module';
import { useCases } from './domain.module';
import { httpSide, manageSide } from './http.module';
import { insight } from './insight.module';
import { withMatchingKeys } from './key-ring-mismatch';
import { metrics } from './metrics.module';
import { openTraces } from './open-traces';
import { operationsSide } from './operations.module';
import { partnerHttp } from './partner-http.module';
import { startPruning } from './prune';
import { reconciliation } from './reconcile.module';
import { storage } from './storage.module';
import { technique } from './technique.module';
import { resolve } from './token';
import { T } from './tokens';

/** What a process can tell of itself, and, where wanted, of what all of them share. */
export type Scrape = (wanted: { readonly shared: boolean }) => Promise<readonly Sample[]>;

/** Parts that are opened outside and handed in; the container itself is synchronous. */
export interface Surroundings {
  readonly settings: Settings;
  readonly secrets: StartSecrets;
  /** Connected and migrated. */
  readonly db: DataSource;
  readonly log: Log;
  /** Called once where the operator asks this instance to leave. Absent: it stays. */
  readonly onDrain?: () => void;
}

/** A composed service, not yet listening. */
export interface ComposedService {
  readonly app: Express;
  readonly container: Container;
  readonly scrape: Scrape;
  /** Resolves when the database has opened its connections and taken a write, or cannot: then callers are served, or told why not. */
  warmUp(): Promise<void>;
  /** From now on not ready, so that a load balancer looks elsewhere. */
  beginStop(): void;
  /** Writes buffered records, ends periodic work. The database stays open. */
  close(): Promise<void>;
}

/** Every part of the service, the inside before the outside. */
const modules = [
  ...[technique, storage, partnerHttp, deliverySide, reconciliation, insight],
  ...[operationsSide, metrics, useCases, accountSide, httpSide, manageSide],
];

/**
 * Wires the service. `change` may rebind a name before anything is resolved. Resolves the application once, so that a wiring
 * mistake is a failed start.
 */
export async function composeService(
  around: Surroundings,
  change: (container: Container) => void = () => undefined,
): Promise<ComposedService> {
  const { secrets, db, log } = around;
  const box = new NotedSecretBox(new AesSecretBox(secrets.encryptionKeys), log);
  const exchangeLog = new PostgresExchangeLog({ db, log });
  const traces = await openTraces(around);
  let stopping = false;

  const container = new Container({ defaultScope: 'Singleton' });
  bindSurroundings(container, { ...around, box, tracing: traces?.tracing });
  container.bind(T.referenceIndex).toConstantValue(await withMatchingKeys(around.settings, () => openReferenceIndex(db, box)));
  container.bind(T.postgresExchanges).toConstantValue(exchangeLog);
  container.bind(T.readiness).toConstantValue(async () => (stopping ? ['stopping'] : reasonsNotToServe(container)));
  container.bind(T.warnings).toConstantValue(await auditWarnings(db, around.settings, log));
  container.load(...modules);
  change(container);

  const app = resolve(container, T.app);
  const background = await startBackground(container);
  const operations = startOperations(container, around.onDrain);
  return {
    app,
    container,
    scrape: ({ shared }) => samplesOf([T.ownSamples, ...(shared ? [T.sharedSamples] : [])].map((source) => resolve(container, source))),
    warmUp: () => warmUp(container),
    beginStop: () => {
      stopping = true;
      resolve(container, T.liveBoard).stop();
      void background.endDelivering();
    },
    close: async () => {
      await background.stop();
      await operations.stop();
      resolve(container, T.partnerHttp).close();
      for (const kept of writtenLater) await resolve<{ close(): Promise<void> }>(container, kept).close();
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

interface Opened extends Surroundings {
  readonly box: NotedSecretBox;
  readonly tracing: Tracing | undefined;
}

function bindSurroundings(container: Container, { settings, secrets, db, log, box, tracing }: Opened): void {
  container.bind(T.settings).toConstantValue(settings);
  container.bind(T.log).toConstantValue(log);
  container.bind(T.db).toConstantValue(db);
  container.bind(T.secretBox).toConstantValue(box);
  container.bind(T.notedBox).toConstantValue(box);
  container.bind(T.tracing).toConstantValue(tracing);
  container.bind(T.encryptionKeyIds).toConstantValue(secrets.encryptionKeys.map(({ id }) => id));
  container.bind(T.operatorToken).toConstantValue(secrets.operatorToken);
}

/** Records that are noted in memory first and written soon after. */
const writtenLater = [T.postgresCredentialUses, T.postgresRefusals, T.callerBook, T.shadowBook, T.refreshBook];

/** Runs that somebody started and that take minutes. */
const longRuns = [T.rewrapRuns, T.conformanceRuns];

/** Announces this instance, until it has left. */
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

/** Starts what runs by itself, once it is known what time it is. */
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
      resolve(container, T.deliveryBell).ring();
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
