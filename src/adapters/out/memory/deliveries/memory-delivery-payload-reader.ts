import type { OpenedDelivery, DeliveryPayloadReader } from '../../../../domain/deliveries/delivery-drafts';
import { requireIds } from '../../../../domain/shared/required-id';
import type { MemoryDeliveries } from './memory-deliveries';
import type { MemoryRegistry } from '../partners/memory-registry';

/** The content of deliveries, in memory. */
export class MemoryDeliveryPayloadReader implements DeliveryPayloadReader {
  constructor(private readonly deps: { readonly deliveries: MemoryDeliveries; readonly registry: MemoryRegistry }) {}

  async open(id: string, audit: Parameters<DeliveryPayloadReader['open']>[1]): Promise<OpenedDelivery | undefined> {
    requireIds({ id });
    const entry = this.deps.deliveries.pending.find(id);
    if (!entry) return undefined;
    this.deps.registry.audit.push(audit());
    return { id, integrationId: entry.integrationId, content: entry.content };
  }
}
