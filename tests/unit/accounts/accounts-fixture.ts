import { MemoryAccountRepository } from '../../../src/adapters/out/memory/accounts/memory-account-repository';
import { MemoryAccountRecords } from '../../../src/adapters/out/memory/accounts/memory-account-records';
import { MemoryRateLimiter } from '../../../src/adapters/out/memory/credentials/memory-rate-limiter';
import { MemoryRegistry } from '../../../src/adapters/out/memory/partners/memory-registry';
import { MemorySessionRepository } from '../../../src/adapters/out/memory/accounts/memory-session-repository';
import { MemorySignInDelayStore } from '../../../src/adapters/out/memory/accounts/memory-sign-in-delay-store';
import { RandomAccountTokenGenerator } from '../../../src/adapters/out/secrets/random-account-token-generator';
import { RandomSecretGenerator } from '../../../src/adapters/out/system/secret-generator';
import { ManageAccounts } from '../../../src/domain/accounts/manage-accounts';
import type { PasswordHashProvider } from '../../../src/domain/accounts/ports';
import { SignIn } from '../../../src/domain/accounts/sign-in';
import type { Secret } from '../../../src/domain/shared/secret';
import { CollectingLog } from '../../support/collecting-log';
import { CountingIds } from '../../support/counting-ids';
import { ManualClock } from '../../support/manual-clock';
import { aHostApp } from '../../support/partners/partners';

/** Stores passwords as they are, and counts how often one was judged. */
class PlainHasher implements PasswordHashProvider {
  verified = 0;

  async hash(password: Secret): Promise<string> {
    return `plain:${password.reveal()}`;
  }

  async matches(password: Secret, stored: string | undefined): Promise<boolean> {
    this.verified++;
    return stored === `plain:${password.reveal()}`;
  }
}

/** The use cases of accounts over memory, with the host app `host_1`. */
export function openAccounts(attemptsAMinute = 1000) {
  const [records, registry, clock, log] = [new MemoryAccountRecords(), new MemoryRegistry(), new ManualClock(), new CollectingLog()];
  registry.hostApps.set('host_1', aHostApp());
  const [accounts, sessions] = [new MemoryAccountRepository({ records, registry }), new MemorySessionRepository(records)];
  const [tokens, hasher] = [new RandomAccountTokenGenerator(), new PlainHasher()];
  const shared = { accounts, tokens, clock };
  const limiter = new MemoryRateLimiter({ limits: { 'sign-in': attemptsAMinute } });
  const context = { sessions, hasher, limiter, log, ids: new CountingIds(), delays: new MemorySignInDelayStore(clock) };
  return {
    ...{ records, clock, log, hasher, accounts, sessions, tokens },
    manage: new ManageAccounts({ ...shared, secrets: new RandomSecretGenerator() }),
    signIn: new SignIn({ ...shared, ...context }),
  };
}

export type AccountsFixture = ReturnType<typeof openAccounts>;
