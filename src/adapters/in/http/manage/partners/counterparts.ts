import { scopeOfViewer, type Viewer } from '../../../../../domain/accounts/viewer';
import type { Partner } from '../../../../../domain/partners/partner-draft';
import type { IntegrationRecord } from '../../../../../domain/partners/integrations/integration';
import type { IntegrationKey, IntegrationRepository, PageRequest, PartnerRepository } from '../../../../../domain/partners/ports';
import { isUndecided } from '../../../../../domain/partners/integrations/proposal';
import { idName, type PartnerKind } from '../../../../../domain/partners/registry-errors';
import type { PlainObject } from '../http/merge-patch';

/** The partners of one kind that a viewer may see. */
export class VisiblePartners<P extends Partner> {
  constructor(
    private readonly deps: {
      readonly kind: PartnerKind;
      readonly partners: PartnerRepository<P, P['settings']>;
      readonly integrations: IntegrationRepository;
    },
  ) {}

  /**
   * By id, ascending. The operator sees all. A partner sees itself alone of its own kind, and of the other kind those with an integration
   * or with a proposal to it.
   */
  async list(viewer: Viewer, page: PageRequest): Promise<readonly P[]> {
    const { kind, partners } = this.deps;
    if (viewer.role === 'operator') return partners.list(page);
    const own = viewer.role === 'host-app' ? viewer.clientId : viewer.appId;
    const ids = viewer.role === kind ? [own].filter((id) => id > (page.after ?? '')) : await this.counterparts(viewer, page);
    return partners.listOf(ids);
  }

  /** Resolves to undefined where there is none that the viewer may see. */
  async find(viewer: Viewer, id: string): Promise<P | undefined> {
    const { kind, partners, integrations } = this.deps;
    if (viewer.role === 'operator') return partners.find(id);
    if (viewer.role === kind) return isOwn(viewer, id) ? partners.find(id) : undefined;
    const other = kind === 'host-app' ? { clientId: id } : { appId: id };
    const integrationRecord = await integrations.find({ clientId: '', appId: '', ...scopeOfViewer(viewer), ...other });
    return integrationRecord && isShown(integrationRecord, viewer) ? partners.find(id) : undefined;
  }

  private async counterparts(viewer: Viewer, { limit, after }: PageRequest): Promise<readonly string[]> {
    const { kind, integrations } = this.deps;
    const scope = scopeOfViewer(viewer);
    const idOf = ({ clientId, appId }: IntegrationKey): string => (kind === 'host-app' ? clientId : appId);
    const shown: string[] = [];
    for (let last = after; shown.length < limit;) {
      const cursor = last === undefined ? undefined : [scope.clientId ?? last, scope.appId ?? last].join('/');
      const found = await integrations.list({ limit, after: cursor }, scope);
      shown.push(...found.filter((integrationRecord) => isShown(integrationRecord, viewer)).map(idOf));
      const end = found.at(-1);
      if (!end || found.length < limit) break;
      last = idOf(end);
    }
    return shown.slice(0, limit);
  }
}

/** The receiver of a proposal sees the proposer. The proposer sees only the id that it named until the other side accepts. */
const isShown = (integrationRecord: IntegrationRecord, { role }: Viewer): boolean =>
  !isUndecided(integrationRecord) || integrationRecord.proposal?.by !== role;

/** The public part of a partner, for the other side of its integrations. */
export const counterpartView = ({ kind, id, settings: { name, logo } }: Partner): PlainObject => ({
  [idName[kind]]: id,
  name,
  ...(logo !== undefined && { logo }),
});

const isOwn = (viewer: Viewer, id: string): boolean => Object.values(scopeOfViewer(viewer)).includes(id);
