import type { Statement } from '../connection/statement';

/** The columns of a user with a sign-on. */
const userColumns = `u.client_id, u.reference_digest, u.reference, u.created_at, u.updated_at, t.updated_at as tokens_at,
      t.refresh_token is not null as is_refreshable`;
/** One row of the index for each user of a page. The limit keeps the planner from joining the whole table, as it cannot know the page's size. */
const withTokens = `left join lateral (
      select * from user_tokens where client_id = u.client_id and reference_digest = u.reference_digest limit 1
    ) t on true`;
const consentColumns = 'app_id, granted, fields, text_version, consent_at';

/** The rows of `page`, each once for every consent of its user, or once without. `app`: the id of the miniapp, or null. */
const withConsents = (app: string): string => `
    select page.*, ${consentColumns} from page left join lateral (
      select i.app_id, c.granted, c.fields, c.text_version, c.updated_at as consent_at
      from consents c join integrations i on i.id = c.integration_id
      where c.reference_digest = page.reference_digest and i.client_id = page.client_id and (${app}::text is null or i.app_id = ${app})
    ) c on true`;

/** A page of users with their consents. Its values are the number of users and, twice, the id of the miniapp or null. */
export const usersPage = {
  select: 'with found as (select client_id, reference_digest, reference, created_at, updated_at from users u',
  end: `order by u.client_id, u.reference_digest limit ?), page as (select ${userColumns} from found u ${withTokens})
    ${withConsents('?')} order by page.client_id, page.reference_digest, app_id`,
};

export const usersPageConditions = {
  clientId: 'u.client_id = ?',
  /** The value is a list: the host app, and the digest in hexadecimal. */
  after: `(u.client_id, u.reference_digest) > ((?::text[])[1], decode((?::text[])[2], 'hex'))`,
  /** In the page of one host app: with a comparison of pairs, the index would be read from the first user of the host app on. */
  afterDigest: `u.reference_digest > decode(?, 'hex')`,
} as const;

/**
 * Finds users by pairs of host app ($1) and digest ($2) that have a sign-on or a consent, with their consents, of the miniapp $3 if it is
 * not null. Returns at most $4 users.
 */
export const usersNamed: Statement = {
  name: 'user-page.named',
  text: `
    with named as (
      select k.client_id, k.digest as reference_digest, u.reference, u.created_at, u.updated_at, t.updated_at as tokens_at,
        t.refresh_token is not null as is_refreshable
      from unnest($1::text[], $2::bytea[]) as k (client_id, digest)
      left join users u on u.client_id = k.client_id and u.reference_digest = k.digest ${withTokens}
    ), page as (
      select * from named n
      where created_at is not null or exists (
        select from consents c join integrations i on i.id = c.integration_id
        where c.reference_digest = n.reference_digest and i.client_id = n.client_id and ($3::text is null or i.app_id = $3))
      order by client_id limit $4
    ) ${withConsents('$3')} order by page.client_id, app_id`,
};

/**
 * Users with a consent for the miniapp $2 of the host app $1, after the digest $3, with that consent. Not all of them have signed on, so the
 * reference may come from the history of the consent. Integration ids are sorted by byte and those of consents are not, so the comparison
 * needs an explicit collation to use the index.
 */
export const consentersAfter: Statement = {
  name: 'user-page.consenters',
  text: `
    with page as (
      select $1::text as client_id, c.reference_digest, $2::text as app_id, c.granted, c.fields, c.text_version, c.updated_at as consent_at,
        c.integration_id
      from consents c
      where c.integration_id = (select id collate "default" from integrations where client_id = $1 and app_id = $2)
        and c.reference_digest > $3::bytea order by c.reference_digest limit $4
    )
    select page.client_id, page.reference_digest, u.created_at, u.updated_at, t.updated_at as tokens_at,
      t.refresh_token is not null as is_refreshable, ${consentColumns},
      coalesce(u.reference, (
        select reference from consent_entries e
        where e.reference_digest = page.reference_digest and e.integration_id = page.integration_id order by id desc limit 1
      )) as reference
    from page left join users u on u.client_id = page.client_id and u.reference_digest = page.reference_digest ${withTokens}
    order by page.reference_digest`,
};

/** Host apps to search for a reference, at most 1000. */
export const hostAppIds: Statement = { name: 'user-page.host-apps', text: 'select id from host_apps order by id limit 1000' };
