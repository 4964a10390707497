import { PostgresApprovedMiniappReader } from '../../adapters/out/postgres/miniapp-list/postgres-approved-miniapp-reader';
import { ContainerModule } from 'inversify';
import { ClockWatch } from '../../adapters/out/postgres/clock/clock-watch';
import { CachedPartnerDirectory } from '../../adapters/out/postgres/partners/cached-partner-directory';
import { partnerFeedOf } from '../../adapters/out/postgres/changes/listening-feed';
import { DatabaseHealth } from '../../adapters/out/postgres/health/database-health';
import { writeForReadiness } from '../../adapters/out/postgres/health/readiness-write';
import { hostAppTable, miniappTable } from '../../adapters/out/postgres/partners/partner-table';
import { PostgresIntegrationRepository } from '../../adapters/out/postgres/integrations/postgres-integration-repository';
import { PostgresAuditChainReader } from '../../adapters/out/postgres/audit/postgres-audit-chain-reader';
import { PostgresAuditReader } from '../../adapters/out/postgres/audit/postgres-audit-reader';
import { PostgresCallerRepository } from '../../adapters/out/postgres/credentials/postgres-caller-repository';
import { PostgresConsentRepository } from '../../adapters/out/postgres/sso/postgres-consent-repository';
import { PostgresCredentialUseLog } from '../../adapters/out/postgres/credentials/postgres-credential-use-log';
import { PostgresEvidenceLinkRepository } from '../../adapters/out/postgres/evidence/postgres-evidence-link-repository';
import { PostgresExchangeReader } from '../../adapters/out/postgres/exchanges/postgres-exchange-reader';
import { PostgresSharedTaskStore } from '../../adapters/out/postgres/sso/postgres-shared-task-store';
import { PostgresIdempotencyStore } from '../../adapters/out/postgres/payments/postgres-idempotency-store';
import { PostgresNonceRepository } from '../../adapters/out/postgres/credentials/postgres-nonce-repository';
import { PostgresOrderPaymentRepository } from '../../adapters/out/postgres/payments/postgres-order-payment-repository';
import { PostgresPartnerRepository } from '../../adapters/out/postgres/partners/postgres-partner-repository';
import { PostgresPublishedKeyReader } from '../../adapters/out/postgres/credentials/postgres-published-key-reader';
import { PostgresRateLimiter } from '../../adapters/out/postgres/credentials/postgres-rate-limiter';
import { PostgresRefusedRequestRepository } from '../../adapters/out/postgres/credentials/postgres-refused-request-repository';
import { PostgresRetention } from '../../adapters/out/postgres/operations/postgres-retention';
import { PostgresDryRunRepository } from '../../adapters/out/postgres/credentials/postgres-dry-run-repository';
import { PostgresTimeShiftRepository } from '../../adapters/out/postgres/deliveries/postgres-time-shift-repository';
import { PostgresTransactionRepository } from '../../adapters/out/postgres/analytics/postgres-transaction-repository';
import { PostgresTransactionReader } from '../../adapters/out/postgres/analytics/postgres-transaction-reader';
import { PostgresUserRecordRepository } from '../../adapters/out/postgres/sso/postgres-user-record-repository';
import { PostgresUserErasureRepository } from '../../adapters/out/postgres/sso/postgres-user-erasure-repository';
import { PostgresUserRepository } from '../../adapters/out/postgres/sso/postgres-user-repository';
import { PostgresUserTokenStore } from '../../adapters/out/postgres/sso/postgres-user-token-store';
import { openKeptKey } from '../../adapters/out/postgres/sealing/reference-index';
import { ObservedExchangeLog } from '../../adapters/out/telemetry/observed-exchange-log';
import { newEvidenceKey, NodeEvidenceSigner } from '../../adapters/out/signing/evidence-signer';
import type { HostApp, HostAppSettings } from '../../domain/partners/host-app';
import type { Miniapp, MiniappSettings } from '../../domain/partners/miniapp';
import { provide } from '../tokens/token';
import { T } from '../tokens/tokens';

/** All storage, in Postgres or the embedded database. A change of this process is visible to it at once. */
export const storage = new ContainerModule(({ bind }) => {
  const sealed = { db: T.db, box: T.secretCipher, index: T.referenceIndex };
  const partners = { db: T.db, box: T.secretCipher, directory: T.cachedDirectory, feed: T.partnerFeed };
  provide(
    bind,
    T.databaseHealth,
    { db: T.db, log: T.log },
    ({ db, log }) => new DatabaseHealth({ write: () => writeForReadiness(db), log }),
  );
  provide(bind, T.partnerFeed, { db: T.db, log: T.log }, (deps) => partnerFeedOf(deps));
  provide(bind, T.cachedDirectory, { db: T.db, box: T.secretCipher, feed: T.partnerFeed }, (deps) => new CachedPartnerDirectory(deps));
  provide(bind, T.directory, { directory: T.cachedDirectory }, ({ directory }) => directory);
  provide(bind, T.hostApps, partners, ({ db, box, directory, feed }) => {
    const onChange = (clientId: string): void => {
      directory.forget({ clientId });
      feed.publish({ clientId });
    };
    return new PostgresPartnerRepository<HostApp, HostAppSettings>({ db, box, table: hostAppTable, onChange });
  });
  provide(bind, T.miniapps, partners, ({ db, box, directory, feed }) => {
    const onChange = (appId: string): void => {
      directory.forget({ appId });
      feed.publish({ appId });
    };
    return new PostgresPartnerRepository<Miniapp, MiniappSettings>({ db, box, table: miniappTable, onChange });
  });
  provide(bind, T.integrations, partners, ({ db, directory, feed }) => {
    return new PostgresIntegrationRepository({
      db,
      onChange: (key) => {
        directory.forget(key);
        feed.publish(key);
      },
    });
  });
  provide(bind, T.postgresCredentialUses, { db: T.db, clock: T.clock, log: T.log }, (deps) => new PostgresCredentialUseLog(deps));
  provide(bind, T.callerRepository, { db: T.db, clock: T.clock, log: T.log }, (deps) => new PostgresCallerRepository(deps));
  provide(bind, T.dryRunRepository, { db: T.db, ids: T.ids, log: T.log }, (deps) => new PostgresDryRunRepository(deps));
  provide(bind, T.credentialUses, { uses: T.postgresCredentialUses, callers: T.callerRepository }, ({ uses, callers }) => ({
    used: (credential) => {
      uses.used(credential);
      callers.used(credential);
    },
  }));
  provide(bind, T.clockWatch, { db: T.db, clock: T.databaseClock, log: T.log }, (deps) => new ClockWatch(deps));
  provide(bind, T.users, sealed, (deps) => new PostgresUserRepository(deps));
  provide(bind, T.userTokens, sealed, (deps) => new PostgresUserTokenStore(deps));
  provide(bind, T.userRecordRepository, sealed, (deps) => new PostgresUserRecordRepository(deps));
  provide(bind, T.userErasure, sealed, (deps) => new PostgresUserErasureRepository(deps));
  provide(bind, T.consents, sealed, (deps) => new PostgresConsentRepository(deps));
  provide(bind, T.orderPayments, sealed, (deps) => new PostgresOrderPaymentRepository(deps));
  provide(bind, T.transactionRepository, sealed, (deps) => new PostgresTransactionRepository(deps));
  provide(bind, T.transactionReader, { db: T.db }, ({ db }) => new PostgresTransactionReader(db));
  provide(bind, T.postgresSharedTasks, sealed, (deps) => new PostgresSharedTaskStore(deps));
  provide(bind, T.sharedTaskStore, { store: T.postgresSharedTasks }, ({ store }) => store);
  provide(
    bind,
    T.postgresLimiter,
    { db: T.db, settings: T.settings },
    ({ db, settings }) => new PostgresRateLimiter({ db, limits: settings.rateLimits }),
  );
  provide(bind, T.limiter, { limiter: T.countedLimiter }, ({ limiter }) => limiter);
  provide(bind, T.postgresIdempotency, sealed, (deps) => new PostgresIdempotencyStore(deps));
  provide(bind, T.idempotency, { store: T.postgresIdempotency }, ({ store }) => store);
  provide(bind, T.postgresNonces, { db: T.db, log: T.log }, (deps) => new PostgresNonceRepository(deps));
  provide(bind, T.nonceRepository, { store: T.postgresNonces }, ({ store }) => store);
  provide(bind, T.postgresRefusals, { db: T.db, box: T.secretCipher, log: T.log }, (deps) => new PostgresRefusedRequestRepository(deps));
  provide(bind, T.refusedRequests, { refused: T.postgresRefusals }, ({ refused }) => refused);
  provide(
    bind,
    T.retention,
    { db: T.db, settings: T.settings },
    ({ db, settings }) => new PostgresRetention({ db, days: settings.retention }),
  );
  provide(bind, T.postgresEvidence, { db: T.db, box: T.secretCipher }, (deps) => new PostgresEvidenceLinkRepository(deps));
  provide(bind, T.evidenceLinks, { links: T.postgresEvidence }, ({ links }) => links);
  provide(bind, T.evidenceSigner, { db: T.db, box: T.secretCipher }, (deps) => {
    return new NodeEvidenceSigner(() => openKeptKey({ ...deps, name: 'evidence-key', make: newEvidenceKey }));
  });
  const pruned = {
    ...{ sharedTasks: T.postgresSharedTasks, limiter: T.postgresLimiter, store: T.postgresIdempotency },
    ...{
      nonces: T.postgresNonces,
      refusals: T.postgresRefusals,
      callers: T.callerRepository,
      dryRuns: T.dryRunRepository,
      refreshes: T.refreshRepository,
      retention: T.retention,
    },
    ...{ instances: T.instanceRepository, evidence: T.postgresEvidence },
    ...{ accounts: T.postgresAccounts, sessions: T.postgresSessions, delays: T.postgresDelays },
  };
  provide(bind, T.pruned, pruned, (kept) => Object.values(kept));
  provide(bind, T.exchangeLog, { log: T.postgresExchanges, counts: T.callCounts, settings: T.settings }, ({ log, counts, settings }) =>
    settings.metricsPort === 0 ? log : new ObservedExchangeLog({ log, observe: (exchange) => counts.exchange(exchange) }),
  );
  provide(bind, T.exchangeReader, { db: T.db }, ({ db }) => new PostgresExchangeReader(db));
  provide(bind, T.approvedMiniapps, { db: T.db }, ({ db }) => new PostgresApprovedMiniappReader(db));
  provide(bind, T.publishedKeys, { db: T.db }, ({ db }) => new PostgresPublishedKeyReader(db));
  provide(bind, T.auditChain, { db: T.db }, ({ db }) => new PostgresAuditChainReader(db));
  provide(bind, T.timeShift, { db: T.db, settings: T.settings }, ({ db, settings: { sandbox, production } }) =>
    sandbox && !production ? new PostgresTimeShiftRepository(db) : undefined,
  );
  provide(bind, T.auditReader, { db: T.db }, ({ db }) => new PostgresAuditReader(db));
});
