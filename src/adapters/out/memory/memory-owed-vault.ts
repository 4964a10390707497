import type { OpenedDelivery, OwedVault } from '../../../domain/deliveries/delivery-drafts';
import { requireIds } from '../../../domain/shared/required-id';
import type { MemoryDeliveries } from './memory-deliveries';
import type { MemoryRegistry } from './memory-registry';

/** The content of deliveries, in memory. */
export class MemoryOwedVault implements OwedVault {
  constructor(private readonly deps: { readonly deliveries: MemoryDeliveries; readonly registry: MemoryRegistry }) {}

  async open(id: string, audit: Parameters<OwedVault['open']>[1]): Promise<OpenedDelivery | undefined> {
    requireIds({ id });
    const entry = this.deps.deliveries.owed.find(id);
    if (!entry) return undefined;
    this.deps.registry.audit.push(audit());
    return { id, integrationId: entry.integrationId, owed: entry.owed };
  }
}
