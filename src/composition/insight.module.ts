import { ContainerModule } from 'inversify';
import { FigureWorker } from '../adapters/in/worker/figure-worker';
import { HttpEndpointProbe } from '../adapters/out/partner-http/http-endpoint-probe';
import { PostgresEndingCredentials } from '../adapters/out/postgres/postgres-ending-credentials';
import { PostgresMoneyRoll } from '../adapters/out/postgres/money/postgres-money-roll';
import { PostgresFigureRoll } from '../adapters/out/postgres/postgres-figure-roll';
import { PostgresFigures } from '../adapters/out/postgres/postgres-figures';
import { PostgresLiveBook } from '../adapters/out/postgres/postgres-live-book';
import { PostgresMutedProblemRepository } from '../adapters/out/postgres/problems/postgres-muted-problem-repository';
import { PostgresPaymentFigureRoll } from '../adapters/out/postgres/postgres-payment-figure-roll';
import { PostgresProbeBook } from '../adapters/out/postgres/postgres-probe-book';
import { PostgresProofBook } from '../adapters/out/postgres/postgres-proof-book';
import { PostgresRefreshBook } from '../adapters/out/postgres/postgres-refresh-book';
import { provide } from './token';
import { T } from './tokens';

/** What people see of the whole: figures of the exchanges and what keeps them summed, problems, and how ready integrations are. */
export const insight = new ContainerModule(({ bind }) => {
  provide(bind, T.figures, { db: T.db }, ({ db }) => new PostgresFigures(db));
  provide(bind, T.refreshBook, { db: T.db, clock: T.clock, log: T.log }, (deps) => new PostgresRefreshBook(deps));
  provide(bind, T.mutes, { db: T.db }, ({ db }) => new PostgresMutedProblemRepository(db));
  provide(bind, T.endingCredentials, { db: T.db }, ({ db }) => new PostgresEndingCredentials(db));
  provide(bind, T.probes, { db: T.db }, ({ db }) => new PostgresProbeBook(db));
  provide(bind, T.proofs, { db: T.db }, ({ db }) => new PostgresProofBook(db));
  provide(bind, T.live, { db: T.db }, ({ db }) => new PostgresLiveBook(db));
  provide(bind, T.probe, { guard: T.outboundGuard }, ({ guard }) => new HttpEndpointProbe({ guard, elapsed: () => performance.now() }));
  provide(bind, T.figureRoll, { db: T.db }, ({ db }) => new PostgresFigureRoll(db));
  provide(bind, T.figureWorker, { roll: T.figureRoll, clock: T.clock, log: T.log }, (deps) => new FigureWorker(deps));
  provide(bind, T.paymentFigureRoll, { db: T.db }, ({ db }) => new PostgresPaymentFigureRoll(db));
  provide(bind, T.paymentFigureWorker, { roll: T.paymentFigureRoll, clock: T.clock, log: T.log }, (deps) => new FigureWorker(deps));
  provide(bind, T.moneyRoll, { db: T.db }, ({ db }) => new PostgresMoneyRoll(db));
  provide(bind, T.moneyWorker, { roll: T.moneyRoll, clock: T.clock, log: T.log }, (deps) => new FigureWorker(deps));
});
