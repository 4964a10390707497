import { scopeOfViewer, type Viewer } from '../../../../domain/accounts/viewer';
import type { Partner } from '../../../../domain/partners/partner-draft';
import type { Agreement } from '../../../../domain/partners/integration';
import type { AgreementKey, AgreementRepository, PageRequest, PartnerRepository } from '../../../../domain/partners/ports';
import { isUndecided } from '../../../../domain/partners/proposal';
import { idName, type PartnerKind } from '../../../../domain/partners/registry-errors';
import type { PlainObject } from './merge-patch';

/** What a viewer sees of the partners of one kind. */
export class VisiblePartners<P extends Partner> {
  constructor(
    private readonly deps: {
      readonly kind: PartnerKind;
      readonly partners: PartnerRepository<P, P['settings']>;
      readonly agreements: AgreementRepository;
    },
  ) {}

  /** By id, ascending: all of them for the operator; of a partner's own kind itself alone, of the other those it is integrated with, or that propose it. */
  async list(viewer: Viewer, page: PageRequest): Promise<readonly P[]> {
    const { kind, partners } = this.deps;
    if (viewer.role === 'operator') return partners.list(page);
    const own = viewer.role === 'host-app' ? viewer.clientId : viewer.appId;
    const ids = viewer.role === kind ? [own].filter((id) => id > (page.after ?? '')) : await this.counterparts(viewer, page);
    return partners.listOf(ids);
  }

  /** Resolves to undefined where there is none that the viewer sees. */
  async find(viewer: Viewer, id: string): Promise<P | undefined> {
    const { kind, partners, agreements } = this.deps;
    if (viewer.role === 'operator') return partners.find(id);
    if (viewer.role === kind) return isOwn(viewer, id) ? partners.find(id) : undefined;
    const other = kind === 'host-app' ? { clientId: id } : { appId: id };
    const agreement = await agreements.find({ clientId: '', appId: '', ...scopeOfViewer(viewer), ...other });
    return agreement && isShown(agreement, viewer) ? partners.find(id) : undefined;
  }

  private async counterparts(viewer: Viewer, { limit, after }: PageRequest): Promise<readonly string[]> {
    const { kind, agreements } = this.deps;
    const scope = scopeOfViewer(viewer);
    const idOf = ({ clientId, appId }: AgreementKey): string => (kind === 'host-app' ? clientId : appId);
    const shown: string[] = [];
    for (let last = after; shown.length < limit;) {
      const cursor = last === undefined ? undefined : [scope.clientId ?? last, scope.appId ?? last].join('/');
      const found = await agreements.list({ limit, after: cursor }, scope);
      shown.push(...found.filter((agreement) => isShown(agreement, viewer)).map(idOf));
      const end = found.at(-1);
      if (!end || found.length < limit) break;
      last = idOf(end);
    }
    return shown.slice(0, limit);
  }
}

/** The receiver of a proposal sees the proposer; the proposer sees no more than the id that it named, until the other accepts. */
const isShown = (agreement: Agreement, { role }: Viewer): boolean => !isUndecided(agreement) || agreement.proposal?.by !== role;

/** What a partner sees of the other side of its integrations. */
export const counterpartView = ({ kind, id, settings: { name, logo } }: Partner): PlainObject => ({
  [idName[kind]]: id,
  name,
  ...(logo !== undefined && { logo }),
});

const isOwn = (viewer: Viewer, id: string): boolean => Object.values(scopeOfViewer(viewer)).includes(id);
