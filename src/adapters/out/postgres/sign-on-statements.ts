import type { SecretBox } from '../../../domain/credentials/ports';
import type { SignOn } from '../../../domain/sso/ports';
import { arrayParameter, type ArrayType } from './array-parameters';
import { consentDigest, ledgerPlace } from './consent-statement';
import type { ReferenceIndex } from './reference-index';
import { sealText } from './sealed-text';
import type { Statement } from './statement';
import { placesOf, userDataText } from './user.schema';

/** The columns of a group of sign-ons. */
const columns = {
  client_id: 'text',
  digest: 'bytea',
  reference: 'bytea',
  data: 'bytea',
  at: 'timestamptz',
  integration_id: 'text',
  consent_digest: 'bytea',
  consent_reference: 'bytea',
  call: 'text',
  request_id: 'text',
} as const satisfies Readonly<Record<string, ArrayType>>;

/** The columns of a group in which some sign-ons bring tokens. */
const columnsWithTokens = { ...columns, access_token: 'bytea', refresh_token: 'bytea' } as const;

/** `given`: the sign-ons as rows. Rows are locked in one order by all statements, so that no two of them deadlock. */
function given(types: Readonly<Record<string, ArrayType>>): string {
  const arrays = Object.values(types).map((type, place) => `$${String(place + 1)}::${type}[]`);
  return `given as (select * from unnest(${arrays.join(', ')}) as g (${Object.keys(types).join(', ')}))`;
}

const storedUsers = `
  stored_users as (
    insert into users (client_id, reference_digest, reference, data, created_at, updated_at)
    select client_id, digest, reference, data, at, at from given order by client_id, digest
    on conflict (client_id, reference_digest) do update set data = excluded.data, updated_at = excluded.updated_at
  )`;

const storedTokens = `
  stored_tokens as (
    insert into user_tokens (client_id, reference_digest, access_token, refresh_token, version, updated_at)
    select client_id, digest, access_token, refresh_token, 1, at from given where access_token is not null
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

/** A consent that stands, as nearly all do, is only read: the conflict clause alone would lock its row, and so write it to the log. */
const grantedConsents = `
  granted as (
    insert into consents (integration_id, reference_digest, granted, updated_at)
    select g.integration_id, g.consent_digest, true, g.at from given g
    where g.integration_id is not null and not coalesce((select c.granted from consents c
      where c.integration_id = g.integration_id and c.reference_digest = g.consent_digest), false)
    order by g.integration_id, g.consent_digest
    on conflict (integration_id, reference_digest) do update set
      granted = true, fields = null, text_version = null, updated_at = excluded.updated_at
    where not consents.granted
    returning integration_id, reference_digest
  )
  insert into consent_ledger (integration_id, reference_digest, reference, granted, call, request_id, at)
  select g.integration_id, g.consent_digest, g.consent_reference, true, g.call, g.request_id, g.at
  from granted c join given g on g.integration_id = c.integration_id and g.consent_digest = c.reference_digest`;

/** Many sign-ons that bring no tokens, each of another user. Takes one array for each of `columns`. */
export const storeSignOns: Statement = {
  name: 'users.store',
  text: `with ${given(columns)}, ${storedUsers}, ${grantedConsents}`,
};

/**
 * As `storeSignOns`, with tokens. It has a text of its own because Postgres opens each table that a statement may write to, and its indexes,
 * whether or not anything is written.
 */
export const storeSignOnsWithTokens: Statement = {
  name: 'users.store-with-tokens',
  text: `with ${given(columnsWithTokens)}, ${storedUsers}, ${storedTokens}, ${grantedConsents}`,
};

/** By which a user is found. */
export const userDigest = (index: ReferenceIndex, clientId: string, reference: string): Buffer => index.digest('user', clientId, reference);

/** A sign-on as it is stored. */
export interface SignOnRow {
  readonly client_id: string;
  readonly digest: Buffer;
  readonly reference: Buffer;
  readonly data: Buffer;
  readonly at: Date;
  readonly integration_id: string | null;
  readonly consent_digest: Buffer | null;
  readonly consent_reference: Buffer | null;
  readonly call: string | null;
  readonly request_id: string | null;
  readonly access_token: Buffer | null;
  readonly refresh_token: Buffer | null;
}

/** A sign-on, sealed. */
export function rowOf(
  { clientId, user, tokens, consent, at }: SignOn,
  { box, index }: { readonly box: SecretBox; readonly index: ReferenceIndex },
): SignOnRow {
  const digest = userDigest(index, clientId, user.reference);
  const places = placesOf(clientId, digest);
  const agreed = consent ? consentDigest(index, { integrationId: consent.integrationId, reference: user.reference }) : null;
  return {
    client_id: clientId,
    digest,
    reference: sealText(box, user.reference, places.reference),
    data: sealText(box, userDataText(user), places.data),
    at: new Date(at),
    integration_id: consent?.integrationId ?? null,
    consent_digest: agreed,
    consent_reference: consent && agreed ? sealText(box, user.reference, ledgerPlace(consent.integrationId, agreed)) : null,
    call: consent?.call ?? null,
    request_id: consent?.requestId ?? null,
    access_token: sealText(box, tokens?.accessToken.reveal(), places.accessToken),
    refresh_token: sealText(box, tokens?.refreshToken?.reveal(), places.refreshToken),
  };
}

/** The statement that stores all of these rows, and its parameters. */
export function storing(rows: readonly SignOnRow[]): readonly [Statement, Buffer[]] {
  return rows.some(({ access_token }) => access_token !== null)
    ? [storeSignOnsWithTokens, parametersOf(columnsWithTokens, rows)]
    : [storeSignOns, parametersOf(columns, rows)];
}

const parametersOf = (types: Readonly<Partial<Record<keyof SignOnRow, ArrayType>>>, rows: readonly SignOnRow[]): Buffer[] =>
  (Object.entries(types) as [keyof SignOnRow, ArrayType][]).map(([name, type]) =>
    arrayParameter(
      type,
      rows.map((row) => row[name]),
    ),
  );
