import { createHmac, randomBytes } from 'node:crypto';
import type { AuditEntry } from '../../../../domain/partners/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import type { Removed, UserErasureRepository } from '../../../../domain/sso/erase-user';
import type { UserKey } from '../../../../domain/sso/user-data';
import type { MemoryConsentRepository } from './memory-consent-repository';
import type { MemoryOrderPaymentRepository } from '../payments/memory-order-payment-repository';
import type { MemoryRegistry } from '../partners/memory-registry';
import type { MemoryTransactionRepository } from '../analytics/memory-transaction-repository';
import type { MemoryUserRepository } from './memory-user-repository';
import type { MemoryUserTokenStore } from './memory-user-token-store';

interface Deps {
  readonly registry: MemoryRegistry;
  readonly users: MemoryUserRepository;
  readonly tokens: MemoryUserTokenStore;
  readonly consents: MemoryConsentRepository;
  readonly payments: MemoryOrderPaymentRepository;
  readonly transactions: MemoryTransactionRepository;
}

/** Removes a user from memory, synchronously. Ignores removed integrations, because they are not stored. */
export class MemoryUserErasureRepository implements UserErasureRepository {
  private readonly key = randomBytes(32);

  constructor(private readonly deps: Deps) {}

  async erase(user: UserKey, audit: (removed: Removed, alias: string) => AuditEntry): Promise<Removed> {
    const { registry, users, tokens, consents, payments, transactions } = this.deps;
    const { clientId, reference } = user;
    requireIds({ clientId, reference });
    const integrations = [...registry.integrations.values()].filter((one) => one.clientId === clientId).map(({ id }) => id);
    const stripped = payments.strip(integrations, reference);
    const reports = transactions.strip(user, stripped.keys);
    const removed = {
      ...{ users: users.remove(user), tokens: tokens.remove(user), ...consents.remove(user) },
      ...{ payments: stripped.payments, reports, deliveries: 0, pendingDeliveries: stripped.pending },
    };
    const alias = createHmac('sha256', this.key)
      .update(JSON.stringify([clientId, reference]), 'utf8')
      .digest('hex');
    registry.audit.push(audit(removed, alias));
    return removed;
  }
}
