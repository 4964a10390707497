import type { RandomGenerator } from '../../../../domain/deliveries/ports';
import type { ApprovedMiniapp, ApprovedMiniappReader, ApprovedPage } from '../../../../domain/partners/approved-miniapps';
import type { Miniapp } from '../../../../domain/partners/miniapp';
import type { MemoryRegistry } from '../partners/memory-registry';

/** The public lists of miniapps in memory. */
export class MemoryApprovedMiniappReader implements ApprovedMiniappReader {
  private readonly ids = new Map<string, number>();

  constructor(private readonly deps: { readonly registry: MemoryRegistry; readonly chance: RandomGenerator }) {}

  async list(clientId: string, { limit, after = '' }: ApprovedPage): Promise<readonly ApprovedMiniapp[]> {
    const { hostApps, integrations, miniapps } = this.deps.registry;
    if (hostApps.get(clientId)?.settings.publicMiniappList !== true) return [];
    return [...integrations.values()]
      .filter(({ clientId: of, settings }) => of === clientId && settings.status === 'accepted' && settings.listed)
      .flatMap(({ appId }) => miniapps.get(appId) ?? [])
      .filter(({ id }) => id > after)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map((miniapp) => this.shown(miniapp));
  }

  private shown({ id: appId, settings: { name, longDescription, logo, category } }: Miniapp): ApprovedMiniapp {
    const id = this.ids.get(appId) ?? 1 + Math.floor(this.deps.chance.next() * (Number.MAX_SAFE_INTEGER - 1));
    this.ids.set(appId, id);
    return { id, appId, name, longDescription, logo, category };
  }
}
