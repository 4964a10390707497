import { randomUUID } from 'node:crypto';
import { RandomAccountTokenGenerator } from '../../../src/adapters/out/secrets/random-account-token-generator';
import { accountRules, type AccountRole } from '../../../src/domain/accounts/account';
import type { AccountRepository, SessionRepository } from '../../../src/domain/accounts/ports';

interface Records {
  readonly accounts: AccountRepository;
  readonly sessions: SessionRepository;
}

const tokens = new RandomAccountTokenGenerator();
const audit = { actor: 'operator', action: 'test', subject: 'test', requestId: 'test', at: 0 };

/** An account of the role, without a password. */
export async function anAccountOf({ accounts }: Records, role: AccountRole) {
  const id = `acc_${randomUUID().slice(0, 12)}`;
  return accounts.create({ id, email: `${id}@example.com`, name: 'Somebody', createdAt: Date.now(), ...role }, audit);
}

/** Headers of a browser at `base` in which the account is signed in, without the work of a password. `at`: since when. */
export async function headersOf({ sessions }: Records, accountId: string, base: string, at = Date.now()): Promise<Record<string, string>> {
  const token = tokens.make().reveal();
  const times = { createdAt: at, expiresAt: at + accountRules.sessionMs };
  const kept = { id: randomUUID(), digest: tokens.digestOf(token), accountId, ...times, address: '127.0.0.1', agent: 'test' };
  if (!(await sessions.begin(kept, {}, audit))) throw new Error('No session was begun');
  return { cookie: `${cookieName(base)}=${token}`, origin: base, 'x-csrf-token': tokens.csrfOf(token) };
}

export const cookieName = (base: string): string => (base.startsWith('https:') ? '__Host-pierhead' : 'pierhead');
