import { ContainerModule } from 'inversify';
import { callerAddress } from '../../adapters/in/http/reading/caller-address';
import { RefusedSessions } from '../../adapters/in/http/manage/limits/refused-sessions';
import { PostgresAccountRepository } from '../../adapters/out/postgres/accounts/postgres-account-repository';
import { PostgresSessionRepository } from '../../adapters/out/postgres/accounts/postgres-session-repository';
import { PostgresSignInDelayStore } from '../../adapters/out/postgres/accounts/postgres-sign-in-delay-store';
import { RandomAccountTokenGenerator } from '../../adapters/out/secrets/random-account-token-generator';
import { ScryptHasher } from '../../adapters/out/secrets/scrypt-hasher';
import { ManageAccounts } from '../../domain/accounts/manage-accounts';
import { SignIn } from '../../domain/accounts/sign-in';
import { UseSession } from '../../domain/accounts/use-session';
import { ownVersion } from '../tasks/own-version';
import { provide } from '../tokens/token';
import { T } from '../tokens/tokens';

/** Accounts, sign-in, and sessions. */
export const accountSide = new ContainerModule(({ bind }) => {
  provide(bind, T.postgresAccounts, { db: T.db }, ({ db }) => new PostgresAccountRepository(db));
  provide(bind, T.postgresSessions, { db: T.db }, ({ db }) => new PostgresSessionRepository(db));
  provide(bind, T.postgresDelays, { db: T.db }, ({ db }) => new PostgresSignInDelayStore(db));
  provide(bind, T.accountTokens, {}, () => new RandomAccountTokenGenerator());
  provide(
    bind,
    T.signIn,
    {
      ...{ accounts: T.postgresAccounts, sessions: T.postgresSessions, delays: T.postgresDelays, tokens: T.accountTokens },
      ...{ limiter: T.limiter, clock: T.clock, ids: T.ids, log: T.log },
    },
    (deps) => new SignIn({ ...deps, hasher: new ScryptHasher() }),
  );
  provide(
    bind,
    T.manageAccounts,
    { accounts: T.postgresAccounts, tokens: T.accountTokens, secrets: T.secretGenerator, clock: T.clock },
    (deps) => new ManageAccounts(deps),
  );
  provide(
    bind,
    T.useSession,
    { sessions: T.postgresSessions, tokens: T.accountTokens, clock: T.clock, hostApps: T.hostApps, miniapps: T.miniapps },
    (deps) => new UseSession(deps),
  );
  provide(
    bind,
    T.refusedSessions,
    { tokens: T.accountTokens, settings: T.settings, log: T.log },
    ({ tokens, settings: { publicBaseUrl }, log }) =>
      new RefusedSessions({ digestOf: (session) => tokens.digestOf(session), publicBaseUrl, log, now: () => performance.now() }),
  );
  provide(
    bind,
    T.people,
    {
      ...{ accounts: T.postgresAccounts, signIn: T.signIn, manageAccounts: T.manageAccounts, useSession: T.useSession },
      ...{ addresses: T.addresses, settings: T.settings },
    },
    ({ addresses, settings: { trustedProxies, publicBaseUrl, production }, ...deps }) => ({
      ...deps,
      publicBaseUrl,
      addressOf: callerAddress(trustedProxies, addresses),
      service: { environment: production ? ('live' as const) : ('test' as const), version: ownVersion() },
    }),
  );
});
