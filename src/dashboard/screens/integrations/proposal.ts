import { useSession } from '../../api/session';
import type { Integration, Partner, Proposal, PartnerKind } from './integration';

/** An integration that one of its partners proposes. */
export type Proposed = Integration & { readonly proposal: Proposal };

export const isProposed = (integration: Integration): integration is Proposed => integration.proposal !== undefined;

export const otherKind = { 'host-app': 'miniapp', miniapp: 'host-app' } as const;
export const kindWords = { 'host-app': 'host app', miniapp: 'miniapp' } as const;
export const idWords = { 'host-app': 'Client ID', miniapp: 'App ID' } as const;

/** The Client ID or App ID of one side. */
export const idOf = ({ client_id, app_id }: Integration, kind: PartnerKind): string => (kind === 'host-app' ? client_id : app_id);

/** The name of one side, or its id: who proposes is not told how the other is called before it accepts. */
export function nameOf(
  integration: Integration,
  kind: PartnerKind,
  partners: { hostApps: readonly Partner[]; miniapps: readonly Partner[] },
) {
  const id = idOf(integration, kind);
  const found =
    kind === 'host-app'
      ? partners.hostApps.find(({ client_id }) => client_id === id)
      : partners.miniapps.find(({ app_id }) => app_id === id);
  return found?.name ?? id;
}

/** The partner whose account this is; absent: the operator's, or of the operator who looks as a partner. */
export function useOwnPartner(): { readonly kind: PartnerKind; readonly id: string } | undefined {
  const { role, app, viewAs } = useSession();
  return role === 'operator' || viewAs || app === undefined ? undefined : { kind: role, id: app };
}
