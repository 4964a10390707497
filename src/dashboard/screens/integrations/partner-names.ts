import type { Integration, Partner, PartnerKind } from './integration';

/** Two partners by their ids. */
type Pair = Pick<Integration, 'client_id' | 'app_id'>;

/** The loaded partners of both kinds. */
export interface KnownPartners {
  readonly hostApps: readonly Partner[];
  readonly miniapps: readonly Partner[];
}

/** The Client ID or App ID of one side. */
export const idOf = ({ client_id, app_id }: Pair, kind: PartnerKind): string => (kind === 'host-app' ? client_id : app_id);

/** The name of one side, or its id: a proposer does not learn the other side's name before it accepts. */
export function nameOf(pair: Pair, kind: PartnerKind, partners: KnownPartners): string {
  const id = idOf(pair, kind);
  const found =
    kind === 'host-app'
      ? partners.hostApps.find(({ client_id }) => client_id === id)
      : partners.miniapps.find(({ app_id }) => app_id === id);
  return found?.name ?? id;
}

/** Both names: "Harbour × Skerry Ferries". */
export const pairName = (pair: Pair, partners: KnownPartners): string =>
  `${nameOf(pair, 'host-app', partners)} × ${nameOf(pair, 'miniapp', partners)}`;
