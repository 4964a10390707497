import { requireIds } from '../../../../domain/shared/required-id';
import type { SignOn, UserRepository } from '../../../../domain/sso/ports';
import type { UserData, UserKey } from '../../../../domain/sso/user-data';
import type { MemoryConsentRepository } from './memory-consent-repository';
import type { MemoryUserTokenStore } from './memory-user-token-store';

/** Users in memory. Consents and tokens go to the stores that it is given. */
export class MemoryUserRepository implements UserRepository {
  private readonly users = new Map<string, UserData>();

  constructor(
    private readonly consents: MemoryConsentRepository,
    private readonly kept: MemoryUserTokenStore,
  ) {}

  async store({ clientId, user, consent, tokens, at }: SignOn): Promise<void> {
    const name = nameOf(clientId, user.reference);
    if (consent) {
      this.consents.recordNow({ ...consent, clientId, reference: user.reference, granted: true, at });
    }
    this.users.set(name, user);
    if (tokens) this.kept.signOn({ clientId, reference: user.reference }, tokens);
  }

  async find(clientId: string, reference: string): Promise<UserData | undefined> {
    return this.users.get(nameOf(clientId, reference));
  }

  /** Removes the user; returns the number of removed users. */
  remove({ clientId, reference }: UserKey): number {
    return Number(this.users.delete(nameOf(clientId, reference)));
  }
}

const nameOf = (clientId: string, reference: string): string => {
  requireIds({ clientId, reference });
  return JSON.stringify([clientId, reference]);
};
