import type { Request } from 'express';
import type { ChangeOrigin } from '../../../../../domain/partners/partner-draft';
import type { PartnerKind } from '../../../../../domain/partners/registry-errors';
import { requireOwn } from '../http/access';
import type { Who } from '../http/call';
import { precondition } from '../http/precondition';
import { originOf, pathId } from '../http/serve';

/** Differences between the calls of the two kinds of partner. */
export interface KindOfPartner {
  readonly path: 'host-apps' | 'miniapps';
  readonly id: 'client_id' | 'app_id';
  readonly name: 'HostApp' | 'Miniapp';
  readonly word: 'host app' | 'miniapp';
  readonly own: Who;
}

export const kinds: Readonly<Record<PartnerKind, KindOfPartner>> = {
  'host-app': { path: 'host-apps', id: 'client_id', name: 'HostApp', word: 'host app', own: 'host apps' },
  miniapp: { path: 'miniapps', id: 'app_id', name: 'Miniapp', word: 'miniapp', own: 'miniapps' },
};

/** The id of a partner in the path. */
export const partnerId = (req: Request, kind: PartnerKind): string => pathId(req, kinds[kind].id);

/** Like `partnerId`, but throws ManageProblem (404) where the viewer works for another partner. */
export function ownPartnerId(req: Request, kind: PartnerKind): string {
  const id = partnerId(req, kind);
  requireOwn(req, kind, id);
  return id;
}

/** The partner to change, the required version, and the caller. */
export const partnerToChange = (
  req: Request,
  kind: PartnerKind,
): ChangeOrigin & { readonly id: string; readonly precondition: (version: number | undefined) => void } => ({
  ...{ id: ownPartnerId(req, kind), precondition: precondition(req) },
  ...originOf(req),
});
