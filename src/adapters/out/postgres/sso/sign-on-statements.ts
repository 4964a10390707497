import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { SignOn } from '../../../../domain/sso/ports';
import { namedParameters, type ArrayType } from '../connection/array-parameters';
import { referenceSealContext, userDigest, type ReferenceIndex } from '../sealing/reference-index';
import { sealText } from '../sealing/sealed-text';
import type { Statement } from '../connection/statement';
import { userSealContexts, userDataText } from './user.schema';

/** The column types of grouped sign-ons. */
const columns = {
  client_id: 'text',
  digest: 'bytea',
  reference: 'bytea',
  data: 'bytea',
  at: 'timestamptz',
  integration_id: 'text',
  call: 'text',
  request_id: 'text',
  is_last_of_user: 'boolean',
  is_last_of_consent: 'boolean',
} as const satisfies Readonly<Record<string, ArrayType>>;

/** The column types when at least one sign-on of the group has tokens. */
const columnsWithTokens = { ...columns, access_token: 'bytea', refresh_token: 'bytea', is_last_of_tokens: 'boolean' } as const;

/** `given`: the sign-ons as rows. Rows are locked in one order by all statements, so that no two of them deadlock. */
function given(types: Readonly<Record<string, ArrayType>>): string {
  const arrays = Object.values(types).map((type, index) => `$${String(index + 1)}::${type}[]`);
  return `given as (select * from unnest(${arrays.join(', ')}) as g (${Object.keys(types).join(', ')}))`;
}

const storedUsers = `
  stored_users as (
    insert into users (client_id, reference_digest, reference, data, created_at, updated_at)
    select client_id, digest, reference, data, at, at from given where is_last_of_user order by client_id, digest
    on conflict (client_id, reference_digest) do update set data = excluded.data, updated_at = excluded.updated_at
  )`;

const storedTokens = `
  stored_tokens as (
    insert into user_tokens (client_id, reference_digest, access_token, refresh_token, version, updated_at)
    select client_id, digest, access_token, refresh_token, 1, at from given where is_last_of_tokens
    order by client_id, digest
    on conflict (client_id, reference_digest) do update set
      access_token = excluded.access_token,
      refresh_token = excluded.refresh_token,
      version = user_tokens.version + 1,
      lease = null,
      lease_until = null,
      failure = null,
      updated_at = excluded.updated_at
  )`;

/** An existing consent, the usual case, is only read: an `on conflict` clause alone would lock the row and so write to the WAL. */
const grantedConsents = `
  granted as (
    insert into consents (integration_id, reference_digest, granted, updated_at)
    select g.integration_id, g.digest, true, g.at from given g
    where g.is_last_of_consent and not coalesce((select c.granted from consents c
      where c.integration_id = g.integration_id and c.reference_digest = g.digest), false)
    order by g.integration_id, g.digest
    on conflict (integration_id, reference_digest) do update set
      granted = true, fields = null, text_version = null, updated_at = excluded.updated_at
    where not consents.granted
    returning integration_id, reference_digest
  )
  insert into consent_entries (integration_id, reference_digest, reference, granted, call, request_id, at)
  select g.integration_id, g.digest, g.reference, true, g.call, g.request_id, g.at
  from granted c join given g on g.is_last_of_consent and g.integration_id = c.integration_id and g.digest = c.reference_digest`;

/** Stores many sign-ons without tokens. Takes one array for each of `columns`. */
export const storeSignOns: Statement = {
  name: 'users.store',
  text: `with ${given(columns)}, ${storedUsers}, ${grantedConsents}`,
};

/**
 * Like `storeSignOns`, with tokens. It is a separate statement because Postgres opens each table that a statement may write, and its
 * indexes, even if it writes nothing there.
 */
export const storeSignOnsWithTokens: Statement = {
  name: 'users.store-with-tokens',
  text: `with ${given(columnsWithTokens)}, ${storedUsers}, ${storedTokens}, ${grantedConsents}`,
};

/** A sign-on as stored. */
export interface SignOnRow {
  readonly client_id: string;
  readonly digest: Buffer;
  readonly reference: Buffer;
  readonly data: Buffer;
  readonly at: Date;
  readonly integration_id: string | null;
  readonly call: string | null;
  readonly request_id: string | null;
  readonly access_token: Buffer | null;
  readonly refresh_token: Buffer | null;
}

/** Seals a sign-on into a row. */
export function rowOf(
  { clientId, user, tokens, consent, at }: SignOn,
  { box, index }: { readonly box: SecretCipher; readonly index: ReferenceIndex },
): SignOnRow {
  const digest = userDigest(index, { clientId, reference: user.reference });
  const contexts = userSealContexts(clientId, digest);
  return {
    client_id: clientId,
    digest,
    reference: sealText(box, user.reference, referenceSealContext(digest)),
    data: sealText(box, userDataText(user), contexts.data),
    at: new Date(at),
    integration_id: consent?.integrationId ?? null,
    call: consent?.call ?? null,
    request_id: consent?.requestId ?? null,
    access_token: sealText(box, tokens?.accessToken.reveal(), contexts.accessToken),
    refresh_token: sealText(box, tokens?.refreshToken?.reveal(), contexts.refreshToken),
  };
}

/**
 * The statement that stores all rows, in the order in which they came, and its parameters. Of several rows for one user or consent, the
 * last one counts.
 */
export function storing(rows: readonly SignOnRow[]): readonly [Statement, Buffer[]] {
  const isLastOfUser = lastsOf(rows, userKey);
  const isLastOfConsent = lastsOf(rows, consentKey);
  const isLastOfTokens = lastsOf(rows, (row) => (row.access_token ? userKey(row) : undefined));
  const marked = rows.map((row, i) => ({
    is_last_of_user: isLastOfUser[i]!,
    is_last_of_consent: isLastOfConsent[i]!,
    is_last_of_tokens: isLastOfTokens[i]!,
    ...row,
  }));
  return isLastOfTokens.includes(true)
    ? [storeSignOnsWithTokens, namedParameters(columnsWithTokens, marked)]
    : [storeSignOns, namedParameters(columns, marked)];
}

const userKey = ({ client_id, digest }: SignOnRow): string => `${client_id} ${digest.toString('latin1')}`;
const consentKey = ({ integration_id, digest }: SignOnRow): string | undefined =>
  integration_id === null ? undefined : `${integration_id} ${digest.toString('latin1')}`;

/** For each row, whether no later row has the same key. False for a row without a key. */
function lastsOf(rows: readonly SignOnRow[], keyOf: (row: SignOnRow) => string | undefined): boolean[] {
  const keys = rows.map(keyOf);
  const last = new Map(keys.map((key, i) => [key, i]));
  return keys.map((key, i) => key !== undefined && last.get(key) === i);
}
