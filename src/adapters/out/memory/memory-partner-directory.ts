import type { HostApp } from '../../../domain/partners/host-app';
import type { Agreement } from '../../../domain/partners/integration';
import type { Miniapp } from '../../../domain/partners/miniapp';
import type { PartnerDirectory } from '../../../domain/partners/ports';
import { requireIds } from '../../../domain/shared/required-id';
import { agreementName } from './memory-agreement-repository';
import type { MemoryRegistry } from './memory-registry';

/** The directory over memory: each change is seen at once. */
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

  async agreement(clientId: string, appId: string): Promise<Agreement | undefined> {
    return this.registry.agreements.get(agreementName({ clientId, appId }));
  }

  async agreementById(id: string): Promise<Agreement | undefined> {
    requireIds({ id });
    return [...this.registry.agreements.values()].find((agreement) => agreement.id === id);
  }
}
