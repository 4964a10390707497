import { useSession } from '../../../api/session';
import type { Integration, Proposal, PartnerKind } from '../integration';

/** An integration that one partner proposed and the other has not accepted. */
export type Proposed = Integration & { readonly proposal: Proposal };

export const isProposed = (integration: Integration): integration is Proposed => integration.proposal !== undefined;

export const otherKind = { 'host-app': 'miniapp', miniapp: 'host-app' } as const;
export const kindWords = { 'host-app': 'host app', miniapp: 'miniapp' } as const;
export const idWords = { 'host-app': 'Client ID', miniapp: 'App ID' } as const;

/** The account's own partner. Absent for the operator, also while viewing as a partner. */
export function useOwnPartner(): { readonly kind: PartnerKind; readonly id: string } | undefined {
  const { role, app, viewAs } = useSession();
  return role === 'operator' || viewAs || app === undefined ? undefined : { kind: role, id: app };
}
