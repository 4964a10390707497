import { requireIds } from '../../../domain/shared/required-id';
import type { SignOn, UserRepository } from '../../../domain/sso/ports';
import type { UserTokens } from '../../../domain/sso/tokens';
import type { UserData } from '../../../domain/sso/user-data';
import type { MemoryConsentLedger } from './memory-consent-ledger';

/** Users in memory; consent goes to the ledger that it is given. */
export class MemoryUserRepository implements UserRepository {
  private readonly users = new Map<string, UserData>();
  private readonly kept = new Map<string, UserTokens>();

  constructor(private readonly consents: MemoryConsentLedger) {}

  async store({ clientId, user, consent, tokens }: SignOn): Promise<void> {
    const name = nameOf(clientId, user.reference);
    if (consent) this.consents.recordNow(consent);
    this.users.set(name, user);
    if (tokens) this.kept.set(name, tokens);
  }

  async find(clientId: string, reference: string): Promise<UserData | undefined> {
    return this.users.get(nameOf(clientId, reference));
  }

  async tokens(clientId: string, reference: string): Promise<UserTokens | undefined> {
    return this.kept.get(nameOf(clientId, reference));
  }
}

const nameOf = (clientId: string, reference: string): string => {
  requireIds({ clientId, reference });
  return JSON.stringify([clientId, reference]);
};
