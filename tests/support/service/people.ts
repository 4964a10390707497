import type { DataSource } from 'typeorm';
import { MemoryRateLimiter } from '../../../src/adapters/out/memory/credentials/memory-rate-limiter';
import { PostgresAccountRepository } from '../../../src/adapters/out/postgres/accounts/postgres-account-repository';
import { PostgresSessionRepository } from '../../../src/adapters/out/postgres/accounts/postgres-session-repository';
import { PostgresSignInDelayStore } from '../../../src/adapters/out/postgres/accounts/postgres-sign-in-delay-store';
import { RandomAccountTokenGenerator } from '../../../src/adapters/out/secrets/random-account-token-generator';
import { ScryptHasher } from '../../../src/adapters/out/secrets/scrypt-hasher';
import { ManageAccounts, type ManageAccountsDeps } from '../../../src/domain/accounts/manage-accounts';
import { SignIn } from '../../../src/domain/accounts/sign-in';
import { UseSession } from '../../../src/domain/accounts/use-session';
import type { HostAppRepository, MiniappRepository } from '../../../src/domain/partners/ports';
import type { Clock, IdGenerator, Log } from '../../../src/domain/shared/ports';

interface PeopleContext extends Pick<ManageAccountsDeps, 'secrets'> {
  readonly db: DataSource;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly log: Log;
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
}

/** What the manage API knows of people, on a database. `attemptsAMinute`: of one address. */
export function peopleOn({ db, ...context }: PeopleContext, publicBaseUrl = 'https://platform.example', attemptsAMinute = 1000) {
  const accounts = new PostgresAccountRepository(db);
  const sessions = new PostgresSessionRepository(db);
  const tokens = new RandomAccountTokenGenerator();
  const limiter = new MemoryRateLimiter({ limits: { 'sign-in': attemptsAMinute } });
  return {
    accounts,
    sessions,
    publicBaseUrl,
    signIn: new SignIn({
      ...context,
      accounts,
      sessions,
      tokens,
      limiter,
      delays: new PostgresSignInDelayStore(db),
      hasher: new ScryptHasher(),
    }),
    manageAccounts: new ManageAccounts({ ...context, accounts, tokens }),
    useSession: new UseSession({ ...context, sessions, tokens }),
    addressOf: () => '127.0.0.1',
    service: { environment: 'test', version: '0.0.0' } as const,
  };
}
