import { MemoryAccountBook } from '../../../src/adapters/out/memory/memory-account-book';
import { MemoryAccountShelf } from '../../../src/adapters/out/memory/memory-account-shelf';
import { MemoryRateLimiter } from '../../../src/adapters/out/memory/memory-rate-limiter';
import { MemoryRegistry } from '../../../src/adapters/out/memory/memory-registry';
import { MemorySessionBook } from '../../../src/adapters/out/memory/memory-session-book';
import { MemorySignInDelays } from '../../../src/adapters/out/memory/memory-sign-in-delays';
import { RandomAccountTokens } from '../../../src/adapters/out/secrets/random-account-tokens';
import { RandomSecretSource } from '../../../src/adapters/out/system/secret-source';
import { ManageAccounts } from '../../../src/domain/accounts/manage-accounts';
import type { PasswordHasher } from '../../../src/domain/accounts/ports';
import { SignIn } from '../../../src/domain/accounts/sign-in';
import type { Secret } from '../../../src/domain/shared/secret';
import { CollectingLog } from '../../support/collecting-log';
import { CountingIds } from '../../support/counting-ids';
import { ManualClock } from '../../support/manual-clock';
import { aHostApp } from '../../support/partners';

/** Stores passwords as they are, and counts how often one was judged. */
class PlainHasher implements PasswordHasher {
  judged = 0;

  async hash(password: Secret): Promise<string> {
    return `plain:${password.reveal()}`;
  }

  async matches(password: Secret, stored: string | undefined): Promise<boolean> {
    this.judged++;
    return stored === `plain:${password.reveal()}`;
  }
}

/** The use cases of accounts over memory, with the host app `host_1`. */
export function openDesk(attemptsAMinute = 1000) {
  const [shelf, registry, clock, log] = [new MemoryAccountShelf(), new MemoryRegistry(), new ManualClock(), new CollectingLog()];
  registry.hostApps.set('host_1', aHostApp());
  const [accounts, sessions] = [new MemoryAccountBook({ shelf, registry }), new MemorySessionBook(shelf)];
  const [tokens, hasher] = [new RandomAccountTokens(), new PlainHasher()];
  const shared = { accounts, tokens, clock };
  const limiter = new MemoryRateLimiter({ limits: { 'sign-in': attemptsAMinute } });
  const around = { sessions, hasher, limiter, log, ids: new CountingIds(), delays: new MemorySignInDelays(clock) };
  return {
    ...{ shelf, clock, log, hasher, accounts, sessions, tokens },
    manage: new ManageAccounts({ ...shared, secrets: new RandomSecretSource() }),
    signIn: new SignIn({ ...shared, ...around }),
  };
}

export type Desk = ReturnType<typeof openDesk>;
