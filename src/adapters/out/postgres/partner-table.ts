import { defaultSignatureSettings } from '../../../domain/credentials/signature-settings';
import type { Credentials } from '../../../domain/credentials/credential';
import type { SecretBox } from '../../../domain/credentials/ports';
import { defaultHostAppSettings, type HostApp, type HostAppSettings } from '../../../domain/partners/host-app';
import { defaultMiniappSettings, type Miniapp, type MiniappSettings } from '../../../domain/partners/miniapp';
import type { PartnerKind } from '../../../domain/partners/registry-errors';
import { deepFreeze } from '../../../domain/shared/deep-freeze';
import { credentialPlace, credentialsFrom, type CredentialRow, type PartnerRow } from './partner.schema';
import { openText } from './sealed-text';
import { readable } from './unreadable';
import { withSharedParts } from './shared-parts';
import type { Statement } from './statement';

/** A partner beside one of its credentials; a partner without any has one row, its credential all null. */
export type JoinedRow = Pick<PartnerRow, 'id' | 'version' | 'settings'> & Stamped & (CredentialRow | { readonly slot: null });

/** Names one state of a row: the transaction that wrote it. Unlike a version it is not repeated by a row made anew. */
export interface Stamped {
  readonly stamp: string;
}

/** What differs between host apps and miniapps in storage. */
export interface PartnerTable<Partner> {
  readonly kind: PartnerKind;
  readonly name: 'host_apps' | 'miniapps';
  readonly partner: (row: JoinedRow, credentials: Credentials) => Partner;
  /** One partner of the id $1 with its credentials, all of one state: one statement sees one snapshot. */
  readonly find: Statement;
  /** Partners after the id $1, $2 at most. */
  readonly list: Statement;
  /** The stamps of the partners of the ids $1, by their places there. */
  readonly stamps: Statement;
}

const joined = (kind: PartnerKind, partners: string): string => `
  select p.id, p.version, p.settings, p.stamp, c.partner_kind, c.partner_id, c.kind, c.slot, c.sealed, c.public_key, c.fingerprint,
    c.created_at, c.valid_until, c.last_used_at, c.proven_at
  from ${partners} p left join partner_credentials c on c.partner_kind = '${kind}' and c.partner_id = p.id
  order by p.id`;

const statements = (kind: PartnerKind, table: string) => ({
  find: { name: `${table}.find`, text: joined(kind, `(select id, version, settings, xmin::text as stamp from ${table} where id = $1)`) },
  list: {
    name: `${table}.list`,
    text: joined(kind, `(select id, version, settings, xmin::text as stamp from ${table} where id > $1 order by id limit $2)`),
  },
  stamps: {
    name: `${table}.stamps`,
    // One at a time, by the key: planned on an empty table, a join would go through all of it for as long as the connection lives.
    text: `
      select k.place::integer, p.stamp from unnest($1::text[]) with ordinality k(id, place)
      cross join lateral (select xmin::text as stamp from ${table} where id = k.id limit 1) p`,
  },
});

/** What a row of an earlier release does not say has its default. */
const settingsFrom = <Settings extends HostAppSettings | MiniappSettings>(defaults: Omit<Settings, 'name'>, stored: object): Settings => {
  const { signature, ...rest } = stored as Settings;
  return withSharedParts({ ...defaults, ...rest, signature: Object.assign({}, defaultSignatureSettings, signature) } as Settings);
};

export const hostAppTable: PartnerTable<HostApp> = {
  kind: 'host-app',
  name: 'host_apps',
  partner: ({ id, version, settings }, credentials) => {
    return { kind: 'host-app', id, version, settings: settingsFrom<HostAppSettings>(defaultHostAppSettings, settings), credentials };
  },
  ...statements('host-app', 'host_apps'),
};

export const miniappTable: PartnerTable<Miniapp> = {
  kind: 'miniapp',
  name: 'miniapps',
  partner: ({ id, version, settings }, credentials) => {
    return { kind: 'miniapp', id, version, settings: settingsFrom<MiniappSettings>(defaultMiniappSettings, settings), credentials };
  },
  ...statements('miniapp', 'miniapps'),
};

/** Joined rows as frozen partners, in their order, credentials opened. Throws where one does not open. */
export const partnersFrom = <Partner extends object>(table: PartnerTable<Partner>, rows: readonly JoinedRow[], box: SecretBox): Partner[] =>
  partnersOpenedBy(table, rows, (row) => openText(box, row.sealed, credentialPlace(row)));

/** The same, to be shown and not to be used: a credential that does not open is empty, and marked. */
export const shownPartnersFrom = <Partner extends object>(
  table: PartnerTable<Partner>,
  rows: readonly JoinedRow[],
  box: SecretBox,
): Partner[] => partnersOpenedBy(table, rows, (row) => readable(() => openText(box, row.sealed, credentialPlace(row))));

function partnersOpenedBy<Partner extends object>(
  table: PartnerTable<Partner>,
  rows: readonly JoinedRow[],
  open: (row: CredentialRow) => string | undefined,
): Partner[] {
  const byId = new Map<string, JoinedRow[]>();
  for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row]);
  return [...byId.values()].map((ofOne) => {
    const stored = ofOne.filter((row): row is JoinedRow & CredentialRow => row.slot !== null);
    const credentials = credentialsFrom(stored, open);
    return deepFreeze(table.partner(ofOne[0]!, credentials));
  });
}
