import type { HostApp } from '../../../../domain/partners/host-app';
import type { IntegrationRecord } from '../../../../domain/partners/integrations/integration';
import type { Miniapp } from '../../../../domain/partners/miniapp';
import type { PartnerDirectory } from '../../../../domain/partners/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import { integrationName } from '../integrations/memory-integration-repository';
import type { MemoryRegistry } from './memory-registry';

/** The partner directory in memory. Changes are visible at once. */
export class MemoryPartnerDirectory implements PartnerDirectory {
  constructor(private readonly registry: MemoryRegistry) {}

  async hostApp(clientId: string): Promise<HostApp | undefined> {
    requireIds({ clientId });
    return this.registry.hostApps.get(clientId);
  }

  async miniapp(appId: string): Promise<Miniapp | undefined> {
    requireIds({ appId });
    return this.registry.miniapps.get(appId);
  }

  async integrationRecord(clientId: string, appId: string): Promise<IntegrationRecord | undefined> {
    return this.registry.integrations.get(integrationName({ clientId, appId }));
  }

  async integrationRecordById(id: string): Promise<IntegrationRecord | undefined> {
    requireIds({ id });
    return [...this.registry.integrations.values()].find((integrationRecord) => integrationRecord.id === id);
  }
}
