import { PostgresApprovedMiniapps } from '../adapters/out/postgres/miniapp-list/postgres-approved-miniapps';
import { ContainerModule } from 'inversify';
import { ClockWatch } from '../adapters/out/postgres/clock/clock-watch';
import { CachedPartnerDirectory } from '../adapters/out/postgres/partners/cached-partner-directory';
import { partnerFeedOf } from '../adapters/out/postgres/listening-feed';
import { DatabaseHealth } from '../adapters/out/postgres/health/database-health';
import { writeForReadiness } from '../adapters/out/postgres/health/readiness-write';
import { hostAppTable, miniappTable } from '../adapters/out/postgres/partners/partner-table';
import { PostgresAgreementRepository } from '../adapters/out/postgres/integrations/postgres-agreement-repository';
import { PostgresAuditChain } from '../adapters/out/postgres/postgres-audit-chain';
import { PostgresAuditReader } from '../adapters/out/postgres/postgres-audit-reader';
import { PostgresCallerBook } from '../adapters/out/postgres/postgres-caller-book';
import { PostgresConsentLedger } from '../adapters/out/postgres/postgres-consent-ledger';
import { PostgresCredentialUses } from '../adapters/out/postgres/postgres-credential-uses';
import { PostgresEvidenceLinkRepository } from '../adapters/out/postgres/evidence/postgres-evidence-link-repository';
import { PostgresExchangeReader } from '../adapters/out/postgres/postgres-exchange-reader';
import { PostgresFlightBoard } from '../adapters/out/postgres/postgres-flight-board';
import { PostgresIdempotencyLedger } from '../adapters/out/postgres/postgres-idempotency-ledger';
import { PostgresNonceLedger } from '../adapters/out/postgres/postgres-nonce-ledger';
import { PostgresOrderPaymentRepository } from '../adapters/out/postgres/postgres-order-payment-repository';
import { PostgresPartnerRepository } from '../adapters/out/postgres/partners/postgres-partner-repository';
import { PostgresPublishedKeys } from '../adapters/out/postgres/postgres-published-keys';
import { PostgresRateLimiter } from '../adapters/out/postgres/postgres-rate-limiter';
import { PostgresRefusedRequests } from '../adapters/out/postgres/postgres-refused-requests';
import { PostgresRetention } from '../adapters/out/postgres/postgres-retention';
import { PostgresShadowBook } from '../adapters/out/postgres/postgres-shadow-book';
import { PostgresTimeShift } from '../adapters/out/postgres/postgres-time-shift';
import { PostgresTransactionLedger } from '../adapters/out/postgres/postgres-transaction-ledger';
import { PostgresTransactionReader } from '../adapters/out/postgres/postgres-transaction-reader';
import { PostgresUserBook } from '../adapters/out/postgres/postgres-user-book';
import { PostgresUserErasure } from '../adapters/out/postgres/postgres-user-erasure';
import { PostgresUserRepository } from '../adapters/out/postgres/postgres-user-repository';
import { PostgresUserTokenStore } from '../adapters/out/postgres/postgres-user-token-store';
import { openKeptKey } from '../adapters/out/postgres/reference-index';
import { HeardExchangeLog } from '../adapters/out/telemetry/heard-exchange-log';
import { newEvidenceKey, NodeEvidenceSigner } from '../adapters/out/signing/evidence-signer';
import type { HostApp, HostAppSettings } from '../domain/partners/host-app';
import type { Miniapp, MiniappSettings } from '../domain/partners/miniapp';
import { provide } from './token';
import { T } from './tokens';

/** Everything that is kept, in Postgres or its embedded kin. A change made here is seen here at once. */
export const storage = new ContainerModule(({ bind }) => {
  const sealed = { db: T.db, box: T.secretBox, index: T.referenceIndex };
  const partners = { db: T.db, box: T.secretBox, directory: T.cachedDirectory, feed: T.partnerFeed };
  provide(
    bind,
    T.databaseHealth,
    { db: T.db, log: T.log },
    ({ db, log }) => new DatabaseHealth({ write: () => writeForReadiness(db), log }),
  );
  provide(bind, T.partnerFeed, { db: T.db, log: T.log }, (deps) => partnerFeedOf(deps));
  provide(bind, T.cachedDirectory, { db: T.db, box: T.secretBox, feed: T.partnerFeed }, (deps) => new CachedPartnerDirectory(deps));
  provide(bind, T.directory, { directory: T.cachedDirectory }, ({ directory }) => directory);
  provide(bind, T.hostApps, partners, ({ db, box, directory, feed }) => {
    const onChange = (clientId: string): void => {
      directory.forget({ clientId });
      feed.tell({ clientId });
    };
    return new PostgresPartnerRepository<HostApp, HostAppSettings>({ db, box, table: hostAppTable, onChange });
  });
  provide(bind, T.miniapps, partners, ({ db, box, directory, feed }) => {
    const onChange = (appId: string): void => {
      directory.forget({ appId });
      feed.tell({ appId });
    };
    return new PostgresPartnerRepository<Miniapp, MiniappSettings>({ db, box, table: miniappTable, onChange });
  });
  provide(bind, T.agreements, partners, ({ db, directory, feed }) => {
    return new PostgresAgreementRepository({
      db,
      onChange: (key) => {
        directory.forget(key);
        feed.tell(key);
      },
    });
  });
  provide(bind, T.postgresCredentialUses, { db: T.db, clock: T.clock, log: T.log }, (deps) => new PostgresCredentialUses(deps));
  provide(bind, T.callerBook, { db: T.db, clock: T.clock, log: T.log }, (deps) => new PostgresCallerBook(deps));
  provide(bind, T.shadowBook, { db: T.db, ids: T.ids, log: T.log }, (deps) => new PostgresShadowBook(deps));
  provide(bind, T.credentialUses, { uses: T.postgresCredentialUses, callers: T.callerBook }, ({ uses, callers }) => ({
    used: (credential) => {
      uses.used(credential);
      callers.used(credential);
    },
  }));
  provide(bind, T.clockWatch, { db: T.db, clock: T.databaseClock, log: T.log }, (deps) => new ClockWatch(deps));
  provide(bind, T.users, sealed, (deps) => new PostgresUserRepository(deps));
  provide(bind, T.userTokens, sealed, (deps) => new PostgresUserTokenStore(deps));
  provide(bind, T.userBook, sealed, (deps) => new PostgresUserBook(deps));
  provide(bind, T.userErasure, sealed, (deps) => new PostgresUserErasure(deps));
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
  provide(bind, T.limiter, { limiter: T.countedLimiter }, ({ limiter }) => limiter);
  provide(bind, T.postgresIdempotency, sealed, (deps) => new PostgresIdempotencyLedger(deps));
  provide(bind, T.idempotency, { ledger: T.postgresIdempotency }, ({ ledger }) => ledger);
  provide(bind, T.postgresNonces, { db: T.db, log: T.log }, (deps) => new PostgresNonceLedger(deps));
  provide(bind, T.nonceLedger, { ledger: T.postgresNonces }, ({ ledger }) => ledger);
  provide(bind, T.postgresRefusals, { db: T.db, box: T.secretBox, log: T.log }, (deps) => new PostgresRefusedRequests(deps));
  provide(bind, T.refusedRequests, { refused: T.postgresRefusals }, ({ refused }) => refused);
  provide(
    bind,
    T.retention,
    { db: T.db, settings: T.settings },
    ({ db, settings }) => new PostgresRetention({ db, days: settings.retention }),
  );
  provide(bind, T.postgresEvidence, { db: T.db, box: T.secretBox }, (deps) => new PostgresEvidenceLinkRepository(deps));
  provide(bind, T.evidenceLinks, { links: T.postgresEvidence }, ({ links }) => links);
  provide(bind, T.evidenceSigner, { db: T.db, box: T.secretBox }, (deps) => {
    return new NodeEvidenceSigner(() => openKeptKey({ ...deps, name: 'evidence-key', make: newEvidenceKey }));
  });
  const pruned = {
    ...{ flights: T.postgresFlights, limiter: T.postgresLimiter, ledger: T.postgresIdempotency },
    ...{
      nonces: T.postgresNonces,
      refusals: T.postgresRefusals,
      callers: T.callerBook,
      shadows: T.shadowBook,
      refreshes: T.refreshBook,
      retention: T.retention,
    },
    ...{ instances: T.instanceBoard, evidence: T.postgresEvidence },
    ...{ accounts: T.postgresAccounts, sessions: T.postgresSessions, delays: T.postgresDelays },
  };
  provide(bind, T.pruned, pruned, (kept) => Object.values(kept));
  provide(bind, T.exchangeLog, { log: T.postgresExchanges, counts: T.callCounts, settings: T.settings }, ({ log, counts, settings }) =>
    settings.metricsPort === 0 ? log : new HeardExchangeLog({ log, hear: (exchange) => counts.exchange(exchange) }),
  );
  provide(bind, T.exchangeReader, { db: T.db }, ({ db }) => new PostgresExchangeReader(db));
  provide(bind, T.approvedMiniapps, { db: T.db }, ({ db }) => new PostgresApprovedMiniapps(db));
  provide(bind, T.publishedKeys, { db: T.db }, ({ db }) => new PostgresPublishedKeys(db));
  provide(bind, T.auditChain, { db: T.db }, ({ db }) => new PostgresAuditChain(db));
  provide(bind, T.timeShift, { db: T.db, settings: T.settings }, ({ db, settings: { sandbox, production } }) =>
    sandbox && !production ? new PostgresTimeShift(db) : undefined,
  );
  provide(bind, T.auditReader, { db: T.db }, ({ db }) => new PostgresAuditReader(db));
});
