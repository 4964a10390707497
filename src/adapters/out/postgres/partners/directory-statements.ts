import type { PartnerKind } from '../../../../domain/partners/registry-errors';
import type { Statement } from '../connection/statement';
import type { CredentialRow } from './partner.schema';
import type { PartnerState, PartnerWithCredentials } from './partner-table';

/** The id of the transaction that wrote the row. Unlike `version` it differs when a row is deleted and created again. */
export interface Versioned {
  readonly row_version: string;
}

/** A partner joined with one of its credentials. A partner without credentials has one row, whose credential columns are all null. */
export type JoinedRow = PartnerState & Versioned & (CredentialRow | { readonly slot: null });

/** Combines the rows of one partner; `undefined` when there are none. */
export function joinedPartner(rows: readonly JoinedRow[]): (PartnerWithCredentials & Versioned) | undefined {
  if (!rows[0]) return undefined;
  const { id, version, settings, row_version } = rows[0];
  return { id, version, settings, row_version, credentials: rows.filter((row): row is JoinedRow & CredentialRow => row.slot !== null) };
}

const statementsOf = (kind: PartnerKind, table: string) => ({
  /** The partner with the id $1 and its credentials, from one snapshot. */
  find: {
    name: `${table}.find`,
    text: `
      select p.id, p.version, p.settings, p.xmin::text as row_version, c.partner_kind, c.partner_id, c.kind, c.slot, c.sealed, c.public_key,
        c.fingerprint, c.created_at, c.valid_until, c.last_used_at, c.proven_at
      from ${table} p left join partner_credentials c on c.partner_kind = '${kind}' and c.partner_id = p.id
      where p.id = $1`,
  },
  /** The row versions of the partners with the ids $1, with the ordinal of each id. */
  rowVersions: {
    name: `${table}.row-versions`,
    // Looks up each key by itself: a join planned while the table was empty would scan the whole table for as long as its connection lives.
    text: `
      select k.ordinal::integer, p.row_version from unnest($1::text[]) with ordinality k(id, ordinal)
      cross join lateral (select xmin::text as row_version from ${table} where id = k.id limit 1) p`,
  },
});

export const partnerStatements = {
  'host-app': statementsOf('host-app', 'host_apps'),
  miniapp: statementsOf('miniapp', 'miniapps'),
} as const satisfies Record<PartnerKind, Record<'find' | 'rowVersions', Statement>>;

/** The integration of the host app $1 and the miniapp $2. */
export const findIntegration: Statement = {
  name: 'directory.integration',
  text: `
    select id, client_id, app_id, version, status, merchant_id, settings, proposal, xmin::text as row_version
    from integrations where client_id = $1 and app_id = $2`,
};

/** The row versions of the integrations of the host apps $1 and the miniapps $2, with the ordinal of each pair. */
export const agreementRowVersions: Statement = {
  name: 'directory.integration-row-versions',
  text: `
    select k.ordinal::integer, i.row_version from unnest($1::text[], $2::text[]) with ordinality k(client_id, app_id, ordinal)
    cross join lateral (
      select xmin::text as row_version from integrations where client_id = k.client_id and app_id = k.app_id limit 1
    ) i`,
};

/** The partners of the integration with the id $1. */
export const findPair: Statement = {
  name: 'directory.pair',
  text: 'select client_id, app_id from integrations where id = $1',
};
