import type { PartnerKind } from '../../../../domain/partners/registry-errors';
import type { Statement } from '../statement';
import type { CredentialRow } from './partner.schema';
import type { PartnerState, PartnerWithCredentials } from './partner-table';

/** Names one state of a row: the transaction that wrote it. Unlike a version it is not repeated by a row made anew. */
export interface Stamped {
  readonly stamp: string;
}

/** A partner beside one of its credentials; a partner without any has one row, its credential all null. */
export type JoinedRow = PartnerState & Stamped & (CredentialRow | { readonly slot: null });

/** The rows of one partner as one; `undefined`: there are none. */
export function joinedPartner(rows: readonly JoinedRow[]): (PartnerWithCredentials & Stamped) | undefined {
  if (!rows[0]) return undefined;
  const { id, version, settings, stamp } = rows[0];
  return { id, version, settings, stamp, credentials: rows.filter((row): row is JoinedRow & CredentialRow => row.slot !== null) };
}

const statementsOf = (kind: PartnerKind, table: string) => ({
  /** The partner of the id $1 with its credentials, all of one state: one statement sees one snapshot. */
  find: {
    name: `${table}.find`,
    text: `
      select p.id, p.version, p.settings, p.xmin::text as stamp, c.partner_kind, c.partner_id, c.kind, c.slot, c.sealed, c.public_key,
        c.fingerprint, c.created_at, c.valid_until, c.last_used_at, c.proven_at
      from ${table} p left join partner_credentials c on c.partner_kind = '${kind}' and c.partner_id = p.id
      where p.id = $1`,
  },
  /** The stamps of the partners of the ids $1, by their places there. */
  stamps: {
    name: `${table}.stamps`,
    // One at a time, by the key: planned on an empty table, a join would go through all of it for as long as the connection lives.
    text: `
      select k.place::integer, p.stamp from unnest($1::text[]) with ordinality k(id, place)
      cross join lateral (select xmin::text as stamp from ${table} where id = k.id limit 1) p`,
  },
});

export const partnerStatements = {
  'host-app': statementsOf('host-app', 'host_apps'),
  miniapp: statementsOf('miniapp', 'miniapps'),
} as const satisfies Record<PartnerKind, Record<'find' | 'stamps', Statement>>;

/** The agreement of the host app $1 and the miniapp $2. */
export const findAgreement: Statement = {
  name: 'directory.agreement',
  text: `
    select id, client_id, app_id, version, status, merchant_id, settings, proposal, xmin::text as stamp
    from integrations where client_id = $1 and app_id = $2`,
};

/** The stamps of the agreements of the host apps $1 and the miniapps $2, by their places there. */
export const agreementStamps: Statement = {
  name: 'directory.agreement-stamps',
  text: `
    select k.place::integer, i.stamp from unnest($1::text[], $2::text[]) with ordinality k(client_id, app_id, place)
    cross join lateral (
      select xmin::text as stamp from integrations where client_id = k.client_id and app_id = k.app_id limit 1
    ) i`,
};

/** The partners of the agreement with the id $1. */
export const findPair: Statement = {
  name: 'directory.pair',
  text: 'select client_id, app_id from integrations where id = $1',
};
