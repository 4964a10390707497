import { ContainerModule } from 'inversify';
import type { DataSource } from 'typeorm';
import { CachedPartnerDirectory } from '../adapters/out/postgres/cached-partner-directory';
import { hostAppTable, miniappTable } from '../adapters/out/postgres/partner-table';
import { PostgresAgreementRepository } from '../adapters/out/postgres/postgres-agreement-repository';
import { PostgresAuditReader } from '../adapters/out/postgres/postgres-audit-reader';
import { PostgresConsentLedger } from '../adapters/out/postgres/postgres-consent-ledger';
import { PostgresExchangeReader } from '../adapters/out/postgres/postgres-exchange-reader';
import { PostgresFlightBoard } from '../adapters/out/postgres/postgres-flight-board';
import { PostgresIdempotencyLedger } from '../adapters/out/postgres/postgres-idempotency-ledger';
import { PostgresOrderPaymentRepository } from '../adapters/out/postgres/postgres-order-payment-repository';
import { PostgresPartnerRepository } from '../adapters/out/postgres/postgres-partner-repository';
import { PostgresRateLimiter } from '../adapters/out/postgres/postgres-rate-limiter';
import { PostgresTransactionLedger } from '../adapters/out/postgres/postgres-transaction-ledger';
import { PostgresTransactionReader } from '../adapters/out/postgres/postgres-transaction-reader';
import { PostgresUserRepository } from '../adapters/out/postgres/postgres-user-repository';
import { PostgresUserTokenStore } from '../adapters/out/postgres/postgres-user-token-store';
import { run } from '../adapters/out/postgres/statement';
import type { HostApp, HostAppSettings } from '../domain/partners/host-app';
import type { Miniapp, MiniappSettings } from '../domain/partners/miniapp';
import { provide } from './token';
import { T } from './tokens';

/** Everything that is kept, in Postgres or its embedded kin. A change made here is seen here at once. */
export const storage = new ContainerModule(({ bind }) => {
  const sealed = { db: T.db, box: T.secretBox, index: T.referenceIndex };
  const partners = { db: T.db, box: T.secretBox, directory: T.cachedDirectory };
  provide(bind, T.cachedDirectory, { db: T.db, box: T.secretBox }, (deps) => new CachedPartnerDirectory(deps));
  provide(bind, T.directory, { directory: T.cachedDirectory }, ({ directory }) => directory);
  provide(bind, T.hostApps, partners, ({ db, box, directory }) => {
    const onChange = (clientId: string): void => {
      directory.forget({ clientId });
    };
    return new PostgresPartnerRepository<HostApp, HostAppSettings>({ db, box, table: hostAppTable, onChange });
  });
  provide(bind, T.miniapps, partners, ({ db, box, directory }) => {
    const onChange = (appId: string): void => {
      directory.forget({ appId });
    };
    return new PostgresPartnerRepository<Miniapp, MiniappSettings>({ db, box, table: miniappTable, onChange });
  });
  provide(bind, T.agreements, partners, ({ db, directory }) => {
    return new PostgresAgreementRepository({
      db,
      onChange: (key) => {
        directory.forget(key);
      },
    });
  });
  provide(bind, T.users, sealed, (deps) => new PostgresUserRepository(deps));
  provide(bind, T.userTokens, sealed, (deps) => new PostgresUserTokenStore(deps));
  provide(bind, T.consents, sealed, (deps) => new PostgresConsentLedger(deps));
  provide(bind, T.orderPayments, sealed, (deps) => new PostgresOrderPaymentRepository(deps));
  provide(bind, T.transactionLedger, sealed, (deps) => new PostgresTransactionLedger(deps));
  provide(bind, T.transactionReader, { db: T.db }, ({ db }) => new PostgresTransactionReader(db));
  provide(bind, T.postgresFlights, sealed, (deps) => new PostgresFlightBoard(deps));
  provide(bind, T.flightBoard, { board: T.postgresFlights }, ({ board }) => board);
  provide(
    bind,
    T.postgresLimiter,
    { db: T.db, settings: T.settings },
    ({ db, settings }) => new PostgresRateLimiter({ db, limits: settings.rateLimits }),
  );
  provide(bind, T.limiter, { limiter: T.postgresLimiter }, ({ limiter }) => limiter);
  provide(bind, T.postgresIdempotency, sealed, (deps) => new PostgresIdempotencyLedger(deps));
  provide(bind, T.idempotency, { ledger: T.postgresIdempotency }, ({ ledger }) => ledger);
  const pruned = { flights: T.postgresFlights, limiter: T.postgresLimiter, ledger: T.postgresIdempotency };
  provide(bind, T.pruned, pruned, ({ flights, limiter, ledger }) => [flights, limiter, ledger]);
  provide(bind, T.exchangeReader, { db: T.db }, ({ db }) => new PostgresExchangeReader(db));
  provide(bind, T.auditReader, { db: T.db }, ({ db }) => new PostgresAuditReader(db));
});

const ping = { name: 'readiness.ping', text: 'select 1' };

/** Whether the database answers. */
export async function isReachable(db: DataSource): Promise<boolean> {
  try {
    await run(db, ping, []);
    return true;
  } catch {
    return false;
  }
}
