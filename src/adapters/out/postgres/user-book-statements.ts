import { mostExported } from '../../../domain/sso/user-book';
import type { Statement } from './statement';

const columns = 'u.client_id, u.reference_digest, u.reference, u.created_at, u.updated_at';

/** Users after the one named by $2 and $3, of the host app $1 where it is given. */
export const usersAfter: Statement = {
  name: 'user-book.after',
  text: `
    select ${columns} from users u
    where ($1::text is null or u.client_id = $1) and ($2::text is null or (u.client_id, u.reference_digest) > ($2, $3::bytea))
    order by u.client_id, u.reference_digest limit $4`,
};

/** Of the host apps $1, the digests $2. */
export const usersByDigest: Statement = {
  name: 'user-book.by-digest',
  text: `
    select ${columns} from unnest($1::text[], $2::bytea[]) as k (client_id, digest)
    join users u on u.client_id = k.client_id and u.reference_digest = k.digest`,
};

/** References that have said something about consent to the integration $1, after the digest $2. */
export const consentersAfter: Statement = {
  name: 'user-book.consenters',
  text: `
    select c.reference_digest, l.reference from consents c cross join lateral (
      select reference from consent_ledger where integration_id = c.integration_id and reference_digest = c.reference_digest
      order by id desc limit 1
    ) l
    where c.integration_id = $1 and ($2::bytea is null or c.reference_digest > $2) order by c.reference_digest limit $3`,
};

export const tokensOf: Statement = {
  name: 'user-book.tokens',
  text: `
    select t.client_id, t.reference_digest, t.updated_at, t.refresh_token is not null as is_refreshable
    from unnest($1::text[], $2::bytea[]) as k (client_id, digest)
    join user_tokens t on t.client_id = k.client_id and t.reference_digest = k.digest`,
};

export const integrationsOf: Statement = {
  name: 'user-book.integrations',
  text: 'select id, client_id, app_id from integrations where client_id = any ($1::text[]) and ($2::text is null or app_id = $2)',
};

export const consentsOf: Statement = {
  name: 'user-book.consents',
  text: `
    select c.integration_id, c.reference_digest, c.granted, c.fields, c.text_version, c.updated_at
    from unnest($1::text[], $2::bytea[]) as k (integration_id, digest)
    join consents c on c.integration_id = k.integration_id and c.reference_digest = k.digest`,
};

export const hostAppIds: Statement = { name: 'user-book.host-apps', text: 'select id from host_apps order by id limit 1000' };

export const userData: Statement = {
  name: 'user-book.data',
  text: 'select data, created_at, updated_at from users where client_id = $1 and reference_digest = $2',
};

export const consentEntries: Statement = {
  name: 'user-book.consent-entries',
  text: `
    select l.granted, l.fields, l.text_version, l.call, l.at, i.app_id
    from unnest($1::text[], $2::bytea[]) as k (integration_id, digest)
    join consent_ledger l on l.integration_id = k.integration_id and l.reference_digest = k.digest
    left join integrations i on i.id = l.integration_id order by l.id limit ${String(mostExported)}`,
};

export const payments: Statement = {
  name: 'user-book.payments',
  text: `
    select id, order_payment_id, status, sealed_order, completion, created_at, settled_at from order_payments
    where user_digest = any ($1::bytea[]) order by created_at, id limit ${String(mostExported)}`,
};

export const reports: Statement = {
  name: 'user-book.reports',
  text: `select id, sealed_report, at from miniapp_transactions where user_digest = $1 order by at, id limit ${String(mostExported)}`,
};
