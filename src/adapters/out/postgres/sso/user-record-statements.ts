import { maxExported } from '../../../../domain/sso/user-record-repository';
import type { Statement } from '../connection/statement';

/** The tokens of the user with the digest $2 at the host app $1. */
export const tokensOf: Statement = {
  name: 'user-records.tokens',
  text: 'select updated_at from user_tokens where client_id = $1 and reference_digest = $2',
};

export const userData: Statement = {
  name: 'user-records.data',
  text: 'select data, created_at, updated_at from users where client_id = $1 and reference_digest = $2',
};

/** What an export holds many rows of. */
export interface ExportedRows {
  /** The ids of all rows of the user with the digest $1, in the order of the export. */
  readonly ids: Statement;
  /** Those of them that have the ids $2, in the same order. None that lost its user meanwhile. */
  readonly rows: Statement;
}

const upToMax = `limit ${String(maxExported)}`;
/** Not `=`: the planner could then choose the index of all rows of the user over the primary key. */
const ofUser = 'is not distinct from $1';

export const consentEntries: ExportedRows = {
  ids: {
    name: 'user-records.consent-entry-ids',
    text: `select id::text from consent_entries e where reference_digest = $1 order by e.id ${upToMax}`,
  },
  rows: {
    name: 'user-records.consent-entries',
    text: `
      select l.granted, l.fields, l.text_version, l.call, l.at, i.app_id
      from consent_entries l left join integrations i on i.id = l.integration_id
      where l.id = any($2::text[]::bigint[]) and l.reference_digest ${ofUser} order by l.id`,
  },
};

export const payments: ExportedRows = {
  ids: {
    name: 'user-records.payment-ids',
    text: `select id from order_payments where user_digest = $1 order by created_at, id ${upToMax}`,
  },
  rows: {
    name: 'user-records.payments',
    text: `
      select id, order_payment_id, status, sealed_order, completion, created_at, settled_at
      from order_payments where id = any($2::text[]) and user_digest ${ofUser} order by created_at, id`,
  },
};

export const reports: ExportedRows = {
  ids: {
    name: 'user-records.report-ids',
    text: `select id from miniapp_transactions where user_digest = $1 order by at, id ${upToMax}`,
  },
  rows: {
    name: 'user-records.reports',
    text: `
      select id, sealed_report, at
      from miniapp_transactions where id = any($2::text[]) and user_digest ${ofUser} order by at, id`,
  },
};
