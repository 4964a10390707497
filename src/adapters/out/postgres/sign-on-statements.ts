import type { SecretBox } from '../../../domain/credentials/ports';
import type { SignOn } from '../../../domain/sso/ports';
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

/**
 * As `storeSignOn` for many users, each there once, whose sign-on at most grants consent and says no more of it (`columnsOf`).
 * Rows are locked in one order by all who write, so that no two wait for each other.
 */
export const storeSignOns: Statement = {
  name: 'users.store-many',
  text: `
    with given as (
      select * from unnest(
        $1::text[], $2::bytea[], $3::bytea[], $4::bytea[], $5::timestamptz[], $6::bytea[], $7::bytea[],
        $8::text[], $9::bytea[], $10::timestamptz[], $11::bytea[], $12::text[], $13::text[]
      ) as g (client_id, digest, reference, data, at, access_token, refresh_token,
        integration_id, consent_digest, consent_at, consent_reference, call, request_id)
    ), stored_user as (
      insert into users (client_id, reference_digest, reference, data, created_at, updated_at)
      select client_id, digest, reference, data, at, at from given order by client_id, digest ${onUserKnown}
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
    select g.integration_id, g.consent_digest, g.consent_reference, true, g.call, g.request_id, g.consent_at
    from granted c join given g on g.integration_id = c.integration_id and g.consent_digest = c.reference_digest`,
};

interface Seals {
  readonly box: SecretBox;
  readonly index: ReferenceIndex;
}

/** By which a user is found. */
export const userDigest = (index: ReferenceIndex, clientId: string, reference: string): Buffer => index.digest('user', clientId, reference);

/** Whether a sign-on says no more of consent than that it is given. */
export const isPlain = ({ consent }: SignOn): boolean =>
  consent === undefined || (consent.granted && consent.fields === undefined && consent.textVersion === undefined);

/** The parameters of `storeSignOn`. */
export const valuesOf = (signOn: SignOn, seals: Seals): unknown[] => [
  ...userValues(signOn, seals),
  ...consentColumns(signOn.consent, seals),
];

/** One row of `storeSignOns`. */
export function rowOf(signOn: SignOn, seals: Seals): unknown[] {
  const { consent } = signOn;
  if (!consent) return [...userValues(signOn, seals), null, null, null, null, null, null];
  const { integrationId, reference, call, requestId, at } = consent;
  const digest = seals.index.digest('consent', integrationId, reference);
  const sealed = sealText(seals.box, reference, ledgerPlace(integrationId, digest));
  return [...userValues(signOn, seals), integrationId, digest, new Date(at), sealed, call, requestId];
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
