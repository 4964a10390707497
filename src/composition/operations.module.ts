import { ContainerModule } from 'inversify';
import { Announcer } from '../adapters/in/worker/announcer';
import { PoolGauge } from '../adapters/out/postgres/pool-gauge';
import { PostgresInstanceBoard } from '../adapters/out/postgres/postgres-instance-board';
import { PostgresOperationsReader } from '../adapters/out/postgres/postgres-operations-reader';
import { PostgresRunRepository } from '../adapters/out/postgres/runs/postgres-run-repository';
import { HttpSimulatorDesk } from '../adapters/out/system/http-simulator-desk';
import type { ConformanceProgress, ConformanceRequest } from '../domain/conformance/ports';
import { StartConformance } from '../domain/conformance/start-conformance';
import { AnnounceInstance } from '../domain/operations/announce-instance';
import { DrainInstance } from '../domain/operations/drain-instance';
import { LongRuns } from '../domain/operations/long-runs';
import { RewrapKeys, type RewrapProgress, type RewrapRequest } from '../domain/operations/rewrap-keys';
import { ServiceDrive } from './conform/service-drive';
import { OwnKeyRing } from './own-key-ring';
import { ownReports } from './own-report';
import { ownVersion } from './own-version';
import { simulatedAt, simulatedPartners } from './simulated-partners';
import { provide } from './token';
import { T } from './tokens';

/** What the operator sees of the service itself, and what takes minutes. */
export const operationsSide = new ContainerModule(({ bind }) => {
  const running = { ids: T.ids, clock: T.clock, log: T.log };
  provide(bind, T.poolGauge, { db: T.db }, ({ db }) => new PoolGauge(db));
  provide(bind, T.instanceBoard, { db: T.db }, ({ db }) => new PostgresInstanceBoard(db));
  provide(bind, T.operationsReader, { db: T.db }, ({ db }) => new PostgresOperationsReader(db));
  provide(
    bind,
    T.announcer,
    {
      ...{ instances: T.instanceBoard, operations: T.operationsReader, pool: T.poolGauge, overload: T.overload },
      ...{ ids: T.ids, clock: T.clock, log: T.log },
    },
    ({ instances, operations, log, ids, clock, ...own }) => {
      const report = ownReports({ ...own, id: ids.next(), startedAt: clock.now() });
      return new Announcer({ announce: new AnnounceInstance({ instances, operations, report }), log });
    },
  );
  provide(bind, T.rewrapBook, { db: T.db }, ({ db }) => new PostgresRunRepository<RewrapRequest, RewrapProgress>({ db, kind: 'rewrap' }));
  provide(bind, T.rewrapRuns, { ...running, book: T.rewrapBook }, (deps) => new LongRuns({ ...deps, kind: 'rewrap' }));
  provide(bind, T.keyRing, { db: T.db, box: T.secretBox, settings: T.settings, ids: T.encryptionKeyIds }, (deps) => new OwnKeyRing(deps));
  provide(
    bind,
    T.conformanceBook,
    { db: T.db },
    ({ db }) => new PostgresRunRepository<ConformanceRequest, ConformanceProgress>({ db, kind: 'conformance-run' }),
  );
  provide(bind, T.conformanceRuns, { ...running, book: T.conformanceBook }, (deps) => new LongRuns({ ...deps, kind: 'conformance-run' }));
  provide(
    bind,
    T.partnerDrive,
    { directory: T.directory, guard: T.outboundGuard, settings: T.settings },
    ({ settings, ...deps }) => new ServiceDrive({ ...deps, isSimulated: simulatedAt(settings) }),
  );
  provide(bind, T.simulators, { settings: T.settings }, ({ settings }) => {
    const urls = simulatedPartners(settings);
    return urls && new HttpSimulatorDesk(urls);
  });
  provide(
    bind,
    T.operationsDesk,
    {
      ...{ instances: T.instanceBoard, operations: T.operationsReader, clock: T.clock, settings: T.settings },
      ...{ ring: T.keyRing, rewrapRuns: T.rewrapRuns, rewrapBook: T.rewrapBook },
      ...{ drive: T.partnerDrive, conformanceRuns: T.conformanceRuns, conformanceBook: T.conformanceBook },
    },
    ({ settings, ...deps }) => ({
      ...deps,
      drain: new DrainInstance(deps),
      rewrap: new RewrapKeys({ ring: deps.ring, runs: deps.rewrapRuns }),
      conformance: new StartConformance({ drive: deps.drive, runs: deps.conformanceRuns }),
      rateLimits: settings.rateLimits,
      version: ownVersion(),
    }),
  );
});
