import type { DataSource } from 'typeorm';
import type { PageRequest } from '../../../../domain/partners/ports';
import type { PartnerKind } from '../../../../domain/partners/registry-errors';
import { run, type Statement } from '../connection/statement';
import type { PartnerState, PartnerWithCredentials } from './partner-table';
import type { CredentialRow } from './partner.schema';

/** A partner joined with one of its credentials, all null when it has none. Only one row of each partner has the settings. */
type ListedRow = Pick<PartnerState, 'id' | 'version'> & { readonly settings: object | null } & (CredentialRow | { readonly slot: null });

/** Settings are by far the largest column: in every row they would be sent and parsed once per credential. */
const joined = (kind: PartnerKind, partners: string): string => `
  select p.id, p.version, case when row_number() over (partition by p.id) = 1 then p.settings end as settings,
    c.partner_kind, c.partner_id, c.kind, c.slot, c.sealed, c.public_key, c.fingerprint, c.created_at, c.valid_until, c.last_used_at, c.proven_at
  from (${partners}) p left join partner_credentials c on c.partner_kind = '${kind}' and c.partner_id = p.id
  order by p.id`;

const statementsOf = (kind: PartnerKind, table: string) => ({
  page: {
    name: `${table}.page`,
    text: joined(kind, `select id, version, settings from ${table} where id > $1 order by id limit $2`),
  },
  named: { name: `${table}.named`, text: joined(kind, `select id, version, settings from ${table} where id = any($1::text[])`) },
});

const statements = {
  'host-app': statementsOf('host-app', 'host_apps'),
  miniapp: statementsOf('miniapp', 'miniapps'),
} as const satisfies Record<PartnerKind, Record<'page' | 'named', Statement>>;

/** Partners of one kind after an id, with their credentials, from one snapshot. */
export async function readPage(db: DataSource, kind: PartnerKind, { limit, after = '' }: PageRequest): Promise<PartnerWithCredentials[]> {
  return partnersOf(await run<ListedRow>(db, statements[kind].page, [after, limit]));
}

/** The existing partners among these ids, sorted by id. */
export async function readNamed(db: DataSource, kind: PartnerKind, ids: readonly string[]): Promise<PartnerWithCredentials[]> {
  return partnersOf(await run<ListedRow>(db, statements[kind].named, [ids]));
}

function partnersOf(rows: readonly ListedRow[]): PartnerWithCredentials[] {
  const partners = new Map<string, PartnerState & { settings: object; readonly credentials: CredentialRow[] }>();
  for (const row of rows) {
    const { id, version, settings } = row;
    const partner = partners.get(id) ?? { id, version, settings: {}, credentials: [] };
    partners.set(id, partner);
    if (settings) partner.settings = settings;
    if (row.slot !== null) partner.credentials.push(row);
  }
  return [...partners.values()];
}
