import type { Statement } from '../connection/statement';

/** The columns of a user. The same result contains the integrations of the host apps, for which all of these are null. */
const userColumns = `u.client_id, u.reference_digest, u.reference, u.created_at, u.updated_at, t.updated_at as tokens_at,
      t.refresh_token is not null as is_refreshable`;
const withTokens = 'left join user_tokens t on t.client_id = u.client_id and t.reference_digest = u.reference_digest';

/** The rows of `page`, and the integrations of these host apps. `app`: the id of the miniapp, or null. */
const pageAndIntegrations = (hostApps: string, app: string): string => `
  select page.*, null as integration_id, null as app_id from page
  union all
  select i.client_id, null, null, null, null, null, null, null, i.id, i.app_id from integrations i
  where i.client_id ${hostApps} and (${app}::text is null or i.app_id = ${app})`;

/** A page of users. Its values are the number of rows and, twice, the id of the miniapp or null. */
export const usersPage = {
  select: `
    with page as (
      select ${userColumns}, row_number() over (order by u.client_id, u.reference_digest) as ordinal from users u ${withTokens}`,
  end: `order by u.client_id, u.reference_digest limit ?) ${pageAndIntegrations('in (select client_id from page)', '?')}`,
};

export const usersPageConditions = {
  clientId: 'u.client_id = ?',
  /** The value is a list: the host app, and the digest in hexadecimal. */
  after: `(u.client_id, u.reference_digest) > ((?::text[])[1], decode((?::text[])[2], 'hex'))`,
} as const;

/**
 * The stored users among the host apps $1 with the digests $2, and the integrations of all these host apps, with the miniapp $3 if it is
 * not null.
 */
export const usersNamed: Statement = {
  name: 'user-page.named',
  text: `
    with page as (
      select ${userColumns}, k.ordinal from unnest($1::text[], $2::bytea[]) with ordinality as k (client_id, digest, ordinal)
      join users u on u.client_id = k.client_id and u.reference_digest = k.digest ${withTokens}
    ) ${pageAndIntegrations('= any ($1::text[])', '$3')}`,
};

/**
 * References with a consent state for the miniapp $2 of the host app $1, after the digest $3, with their last state. Integration ids are
 * sorted by byte and those of consents are not, so the comparison needs an explicit collation to use the index.
 */
export const consentersAfter: Statement = {
  name: 'user-page.consenters',
  text: `
    select c.integration_id, c.reference_digest, l.reference, c.granted, c.fields, c.text_version, c.updated_at
    from consents c cross join lateral (
      select reference from consent_entries where integration_id = c.integration_id and reference_digest = c.reference_digest
      order by id desc limit 1
    ) l
    where c.integration_id = (select id collate "default" from integrations where client_id = $1 and app_id = $2)
      and c.reference_digest > $3::bytea order by c.reference_digest limit $4`,
};

export const consentsOf: Statement = {
  name: 'user-page.consents',
  text: `
    select c.integration_id, c.reference_digest, c.granted, c.fields, c.text_version, c.updated_at
    from unnest($1::text[], $2::bytea[]) as k (integration_id, digest)
    join consents c on c.integration_id = k.integration_id and c.reference_digest = k.digest`,
};

/** Host apps to search for a reference, at most 1000. */
export const hostAppIds: Statement = { name: 'user-page.host-apps', text: 'select id from host_apps order by id limit 1000' };
