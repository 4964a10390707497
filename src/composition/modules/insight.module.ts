import { ContainerModule } from 'inversify';
import { FigureWorker } from '../../adapters/in/worker/figure-worker';
import { HttpEndpointProbeGateway } from '../../adapters/out/partner-http/deliveries/http-endpoint-probe-gateway';
import { PostgresEndingCredentialReader } from '../../adapters/out/postgres/credentials/postgres-ending-credential-reader';
import { PostgresMoneyRollupStore } from '../../adapters/out/postgres/money/postgres-money-rollup-store';
import { PostgresFigureRollupStore } from '../../adapters/out/postgres/figures/postgres-figure-rollup-store';
import { PostgresFigureReader } from '../../adapters/out/postgres/figures/postgres-figure-reader';
import { PostgresLiveIntegrationRepository } from '../../adapters/out/postgres/readiness/postgres-live-integration-repository';
import { PostgresMutedProblemRepository } from '../../adapters/out/postgres/problems/postgres-muted-problem-repository';
import { PostgresPaymentFigureRollupStore } from '../../adapters/out/postgres/payments/postgres-payment-figure-rollup-store';
import { PostgresProbeRepository } from '../../adapters/out/postgres/readiness/postgres-probe-repository';
import { PostgresProofReader } from '../../adapters/out/postgres/readiness/postgres-proof-reader';
import { PostgresRefreshRepository } from '../../adapters/out/postgres/figures/postgres-refresh-repository';
import { provide } from '../tokens/token';
import { T } from '../tokens/tokens';

/** Statistics of exchanges with their rollups, problems, and the readiness of integrations. */
export const insight = new ContainerModule(({ bind }) => {
  provide(bind, T.figures, { db: T.db }, ({ db }) => new PostgresFigureReader(db));
  provide(bind, T.refreshRepository, { db: T.db, clock: T.clock, log: T.log }, (deps) => new PostgresRefreshRepository(deps));
  provide(bind, T.mutes, { db: T.db }, ({ db }) => new PostgresMutedProblemRepository(db));
  provide(bind, T.endingCredentials, { db: T.db }, ({ db }) => new PostgresEndingCredentialReader(db));
  provide(bind, T.probes, { db: T.db }, ({ db }) => new PostgresProbeRepository(db));
  provide(bind, T.proofs, { db: T.db }, ({ db }) => new PostgresProofReader(db));
  provide(bind, T.live, { db: T.db }, ({ db }) => new PostgresLiveIntegrationRepository(db));
  provide(
    bind,
    T.probe,
    { guard: T.outboundGuard },
    ({ guard }) => new HttpEndpointProbeGateway({ guard, elapsed: () => performance.now() }),
  );
  provide(bind, T.figureRollupStore, { db: T.db }, ({ db }) => new PostgresFigureRollupStore(db));
  provide(bind, T.figureWorker, { rollup: T.figureRollupStore, clock: T.clock, log: T.log }, (deps) => new FigureWorker(deps));
  provide(bind, T.paymentFigureRollupStore, { db: T.db }, ({ db }) => new PostgresPaymentFigureRollupStore(db));
  provide(
    bind,
    T.paymentFigureWorker,
    { rollup: T.paymentFigureRollupStore, clock: T.clock, log: T.log },
    (deps) => new FigureWorker(deps),
  );
  provide(bind, T.moneyRollupStore, { db: T.db }, ({ db }) => new PostgresMoneyRollupStore(db));
  provide(bind, T.moneyWorker, { rollup: T.moneyRollupStore, clock: T.clock, log: T.log }, (deps) => new FigureWorker(deps));
});
