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

export const consentEntries: Statement = {
  name: 'user-records.consent-entries',
  text: `
    select l.granted, l.fields, l.text_version, l.call, l.at, i.app_id
    from consent_entries l left join integrations i on i.id = l.integration_id where l.reference_digest = $1 order by l.id limit ${String(maxExported)}`,
};

export const payments: Statement = {
  name: 'user-records.payments',
  text: `
    select id, order_payment_id, status, sealed_order, completion, created_at, settled_at from order_payments
    where user_digest = $1 order by created_at, id limit ${String(maxExported)}`,
};

export const reports: Statement = {
  name: 'user-records.reports',
  text: `select id, sealed_report, at from miniapp_transactions where user_digest = $1 order by at, id limit ${String(maxExported)}`,
};
