import type { SecretBox } from '../../../domain/credentials/ports';
import type { SignOn } from '../../../domain/sso/ports';
import { arrayParameter, type ArrayType } from './array-parameters';
import { consentColumns, consentSteps, ledgerPlace } from './consent-statement';
import type { ReferenceIndex } from './reference-index';
import { sealText } from './sealed-text';
import type { Statement } from './statement';
import { placesOf, userDataText } from './user.schema';

const onUserKnown = `on conflict (client_id, reference_digest) do update set data = excluded.data, updated_at = excluded.updated_at`;

const onTokensKnown = `
  on conflict (client_id, reference_digest) do update set
    access_token = excluded.access_token,
    refresh_token = excluded.refresh_token,
    version = user_tokens.version + 1,
    lease = null,
    lease_until = null,
    failure = null,
    updated_at = excluded.updated_at`;

/** The whole of a sign-on in one statement: one round trip, committed together. Takes `userColumns`, then `consentColumns`. */
export const storeSignOn: Statement = {
  name: 'users.store',
  text: `
    with stored_user as (
      insert into users (client_id, reference_digest, reference, data, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $5) ${onUserKnown}
    ), stored_tokens as (
      insert into user_tokens (client_id, reference_digest, access_token, refresh_token, version, updated_at)
      select $1, $2, $6::bytea, $7::bytea, 1, $5 where $6::bytea is not null ${onTokensKnown}
    ), ${consentSteps(8)}`,
};

/** The columns of `storeSignOns`, in their order. */
const signOnColumns = {
  client_id: 'text',
  digest: 'bytea',
  reference: 'bytea',
  data: 'bytea',
  at: 'timestamptz',
  access_token: 'bytea',
  refresh_token: 'bytea',
  integration_id: 'text',
  consent_digest: 'bytea',
  consent_at: 'timestamptz',
  consent_reference: 'bytea',
  call: 'text',
  request_id: 'text',
} as const satisfies Readonly<Record<string, ArrayType>>;
const columnNames = Object.keys(signOnColumns) as (keyof SignOnRow)[];
const arraysOf = (names: readonly (keyof SignOnRow)[]): string =>
  names.map((name, place) => `$${String(place + 1)}::${signOnColumns[name]}[]`).join(', ');

/** Rows are locked in one order by all who write, so that no two wait for each other. */
const usersOfGiven = `
      insert into users (client_id, reference_digest, reference, data, created_at, updated_at)
      select client_id, digest, coalesce(g.reference, (select u.reference from users u where u.client_id = g.client_id
        and u.reference_digest = g.digest)), data, at, at from given g order by client_id, digest ${onUserKnown}`;

/**
 * As `storeSignOn` for many users, each there once, whose sign-on at most grants consent and says no more of it. Takes what
 * `signOnParameters` makes of their rows. A reference that is not given is taken from the row that is there; where there is none, the
 * statement fails (not null) and nothing is stored.
 */
export const storeSignOns: Statement = {
  name: 'users.store-many',
  text: `
    with given as (
      select * from unnest(${arraysOf(columnNames)}) as g (${columnNames.join(', ')})
    ), stored_user as (${usersOfGiven}
    ), stored_tokens as (
      insert into user_tokens (client_id, reference_digest, access_token, refresh_token, version, updated_at)
      select client_id, digest, access_token, refresh_token, 1, at from given where access_token is not null
      order by client_id, digest ${onTokensKnown}
    ), granted as (
      insert into consents (integration_id, reference_digest, granted, updated_at)
      select integration_id, consent_digest, true, consent_at from given where integration_id is not null
      order by integration_id, consent_digest
      on conflict (integration_id, reference_digest) do update set
        granted = true, fields = null, text_version = null, updated_at = excluded.updated_at
      where not consents.granted
      returning integration_id, reference_digest
    )
    insert into consent_ledger (integration_id, reference_digest, reference, granted, call, request_id, at)
    select g.integration_id, g.consent_digest, coalesce(g.consent_reference, (select l.reference from consent_ledger l
      where l.integration_id = g.integration_id and l.reference_digest = g.consent_digest limit 1)),
      true, g.call, g.request_id, g.consent_at
    from granted c join given g on g.integration_id = c.integration_id and g.consent_digest = c.reference_digest`,
};

/** The columns of `storeKnownSignOns`, in their order. */
const knownNames = ['client_id', 'digest', 'reference', 'data', 'at', 'integration_id', 'consent_digest'] as const;

/**
 * As `storeSignOns` for those that `isKnown` tells: stores the users, and looks whether their consent stands, as it nearly always does. Most calls
 * are of that kind, and each table that a statement may write to costs it as much as some users do, whether it writes or not. Its rows tell
 * whose consent does not stand, by their place from 1 on: these are to be stored by `storeSignOns`.
 */
export const storeKnownSignOns: Statement = {
  name: 'users.store-known',
  text: `
    with given as (
      select * from unnest(${arraysOf(knownNames)}) with ordinality as g (${knownNames.join(', ')}, place)
    ), stored_user as (${usersOfGiven})
    select g.place::integer from given g where g.integration_id is not null and not coalesce((select c.granted from consents c
      where c.integration_id = g.integration_id and c.reference_digest = g.consent_digest), false)`,
};

interface Seals {
  readonly box: SecretBox;
  readonly index: ReferenceIndex;
}

const ofUser = (clientId: string, reference: string): string[] => ['user', clientId, reference];

/** By which a user is found. */
export const userDigest = (index: ReferenceIndex, clientId: string, reference: string): Buffer =>
  index.digest(...ofUser(clientId, reference));

/** Whether a sign-on says no more of consent than that it is given. */
export const isPlain = ({ consent }: SignOn): boolean =>
  consent === undefined || (consent.granted && consent.fields === undefined && consent.textVersion === undefined);

/** The parameters of `storeSignOn`. */
export const valuesOf = (signOn: SignOn, seals: Seals): unknown[] => [
  ...userValues(signOn, seals),
  ...consentColumns(signOn.consent, seals),
];

/** One row of `storeSignOns`; digests in hexadecimal. */
export interface SignOnRow {
  readonly client_id: string;
  readonly digest: string;
  readonly reference: Buffer | null;
  readonly data: Buffer;
  readonly at: Date;
  readonly access_token: Buffer | null;
  readonly refresh_token: Buffer | null;
  readonly integration_id: string | null;
  readonly consent_digest: string | null;
  readonly consent_at: Date | null;
  readonly consent_reference: Buffer | null;
  readonly call: string | null;
  readonly request_id: string | null;
}

/** The parameters of `storeSignOns`. */
export const signOnParameters = (rows: readonly SignOnRow[]): Buffer[] => parametersOf(columnNames, rows);

/** The parameters of `storeKnownSignOns`. */
export const knownSignOnParameters = (rows: readonly SignOnRow[]): Buffer[] => parametersOf(knownNames, rows);

const parametersOf = (names: readonly (keyof SignOnRow)[], rows: readonly SignOnRow[]): Buffer[] =>
  names.map((name) =>
    arrayParameter(
      signOnColumns[name],
      rows.map((row) => row[name]),
    ),
  );

/** Whether a sign-on brings no tokens, and consent of which there is an entry in the ledger already. */
export const isKnown = ({ access_token, consent_digest, consent_reference }: SignOnRow): boolean =>
  access_token === null && (consent_digest === null || consent_reference === null);

/** A sign-on of those that are stored together. `isStored`: whether a row of this digest, with its reference, is there already. */
export function rowOf(
  { clientId, user, tokens, consent, at }: SignOn,
  { box, index }: Seals,
  isStored: (digest: string) => boolean,
): SignOnRow {
  const digest = index.hex(...ofUser(clientId, user.reference));
  const agreed = consent ? index.hex('consent', consent.integrationId, consent.reference) : null;
  const places = placesOf(clientId, digest);
  // Member by member: there is a row for every sign-on, and made of parts it would be larger and slower to make.
  return {
    client_id: clientId,
    digest,
    reference: isStored(digest) ? null : sealText(box, user.reference, places.reference),
    data: sealText(box, userDataText(user), places.data),
    at: new Date(at),
    access_token: sealText(box, tokens?.accessToken.reveal(), places.accessToken),
    refresh_token: sealText(box, tokens?.refreshToken?.reveal(), places.refreshToken),
    integration_id: consent?.integrationId ?? null,
    consent_digest: agreed,
    consent_at: consent ? new Date(consent.at) : null,
    consent_reference:
      consent && agreed !== null && !isStored(agreed) ? sealText(box, consent.reference, ledgerPlace(consent.integrationId, agreed)) : null,
    call: consent?.call ?? null,
    request_id: consent?.requestId ?? null,
  };
}

function userValues({ clientId, user, tokens, at }: SignOn, { box, index }: Seals): unknown[] {
  const digest = userDigest(index, clientId, user.reference);
  const places = placesOf(clientId, digest);
  return [
    clientId,
    digest,
    sealText(box, user.reference, places.reference),
    sealText(box, userDataText(user), places.data),
    new Date(at),
    sealText(box, tokens?.accessToken.reveal(), places.accessToken),
    sealText(box, tokens?.refreshToken?.reveal(), places.refreshToken),
  ];
}
