import { ContainerModule } from 'inversify';
import { Announcer } from '../../adapters/in/worker/announcer';
import { PoolGauge } from '../../adapters/out/postgres/connection/pool-gauge';
import { PostgresInstanceRepository } from '../../adapters/out/postgres/operations/postgres-instance-repository';
import { PostgresOperationsReader } from '../../adapters/out/postgres/operations/postgres-operations-reader';
import { PostgresRunRepository } from '../../adapters/out/postgres/runs/postgres-run-repository';
import { HttpSimulatorGateway } from '../../adapters/out/system/http-simulator-gateway';
import type { ConformanceProgress, ConformanceRequest } from '../../domain/conformance/ports';
import { StartConformance } from '../../domain/conformance/start-conformance';
import { AnnounceInstance } from '../../domain/operations/announce-instance';
import { DrainInstance } from '../../domain/operations/drain-instance';
import { LongRuns } from '../../domain/operations/long-runs';
import { RewrapKeys, type RewrapProgress, type RewrapRequest } from '../../domain/operations/rewrap-keys';
import { ServiceDrive } from '../conform/service-drive';
import { OwnKeyRing } from '../tasks/own-key-ring';
import { ownReports } from '../tasks/own-report';
import { ownVersion } from '../tasks/own-version';
import { simulatedAt, simulatedPartners } from '../processes/simulated-partners';
import { provide } from '../tokens/token';
import { T } from '../tokens/tokens';

/** The operator's view of the service itself, and long runs. */
export const operationsSide = new ContainerModule(({ bind }) => {
  const running = { ids: T.ids, clock: T.clock, log: T.log };
  provide(bind, T.poolGauge, { db: T.db }, ({ db }) => new PoolGauge(db));
  provide(bind, T.instanceRepository, { db: T.db }, ({ db }) => new PostgresInstanceRepository(db));
  provide(bind, T.operationsReader, { db: T.db }, ({ db }) => new PostgresOperationsReader(db));
  provide(
    bind,
    T.announceInstance,
    {
      ...{ instances: T.instanceRepository, operations: T.operationsReader, pool: T.poolGauge, overload: T.overload },
      ...{ ids: T.ids, clock: T.clock },
    },
    ({ instances, operations, ids, clock, ...own }) => {
      const report = ownReports({ ...own, id: ids.next(), startedAt: clock.now() });
      return new AnnounceInstance({ instances, operations, report });
    },
  );
  provide(bind, T.announcer, { announce: T.announceInstance, log: T.log }, (deps) => new Announcer(deps));
  provide(bind, T.drainInstance, { instances: T.instanceRepository, clock: T.clock }, (deps) => new DrainInstance(deps));
  provide(
    bind,
    T.rewrapRepository,
    { db: T.db },
    ({ db }) => new PostgresRunRepository<RewrapRequest, RewrapProgress>({ db, kind: 'rewrap' }),
  );
  provide(bind, T.rewrapRuns, { ...running, repository: T.rewrapRepository }, (deps) => new LongRuns({ ...deps, kind: 'rewrap' }));
  provide(
    bind,
    T.keyRing,
    { db: T.db, box: T.secretCipher, settings: T.settings, ids: T.encryptionKeyIds },
    (deps) => new OwnKeyRing(deps),
  );
  provide(bind, T.rewrapKeys, { notify: T.keyRing, runs: T.rewrapRuns }, (deps) => new RewrapKeys(deps));
  provide(
    bind,
    T.conformanceRepository,
    { db: T.db },
    ({ db }) => new PostgresRunRepository<ConformanceRequest, ConformanceProgress>({ db, kind: 'conformance-run' }),
  );
  provide(
    bind,
    T.conformanceRuns,
    { ...running, repository: T.conformanceRepository },
    (deps) => new LongRuns({ ...deps, kind: 'conformance-run' }),
  );
  provide(
    bind,
    T.partnerDrive,
    { directory: T.directory, guard: T.outboundGuard, settings: T.settings },
    ({ settings, ...deps }) => new ServiceDrive({ ...deps, isSimulated: simulatedAt(settings) }),
  );
  provide(bind, T.startConformance, { drive: T.partnerDrive, runs: T.conformanceRuns }, (deps) => new StartConformance(deps));
  provide(bind, T.simulators, { settings: T.settings }, ({ settings }) => {
    const urls = simulatedPartners(settings);
    return urls && new HttpSimulatorGateway(urls);
  });
  provide(
    bind,
    T.operationsSideDeps,
    {
      ...{ instances: T.instanceRepository, operations: T.operationsReader, clock: T.clock, settings: T.settings },
      ...{ notify: T.keyRing, rewrapRuns: T.rewrapRuns, rewrapRepository: T.rewrapRepository },
      ...{ drive: T.partnerDrive, conformanceRuns: T.conformanceRuns, conformanceRepository: T.conformanceRepository },
      ...{ drain: T.drainInstance, rewrap: T.rewrapKeys, conformance: T.startConformance },
    },
    ({ settings, ...deps }) => ({ ...deps, rateLimits: settings.rateLimits, version: ownVersion() }),
  );
});
