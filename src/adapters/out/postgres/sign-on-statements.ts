import type { SecretBox } from '../../../domain/credentials/ports';
import type { SignOn } from '../../../domain/sso/ports';
import { consentColumns, consentSteps, ledgerPlace } from './consent-statement';
import type { ReferenceIndex } from './reference-index';
import { isoTime } from '../../../domain/shared/iso-time';
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
 * As `storeSignOn` for many users, each there once, whose sign-on at most grants consent and says no more of it. Takes a JSON list
 * of `SignOnRow`. Rows are locked in one order by all who write, so that no two wait for each other. A reference that is not
 * given is taken from the row that is there; where there is none, the statement fails (not null) and nothing is stored.
 */
export const storeSignOns: Statement = {
  name: 'users.store-many',
  text: `
    with given as (
      select * from json_to_recordset($1::json) as g (
        client_id text, digest bytea, reference bytea, data bytea, at timestamptz, access_token bytea, refresh_token bytea,
        integration_id text, consent_digest bytea, consent_at timestamptz, consent_reference bytea, call text, request_id text)
    ), stored_user as (
      insert into users (client_id, reference_digest, reference, data, created_at, updated_at)
      select client_id, digest, coalesce(g.reference, (select u.reference from users u where u.client_id = g.client_id
        and u.reference_digest = g.digest)), data, at, at from given g order by client_id, digest ${onUserKnown}
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

/** One row of `storeSignOns`: times as text, bytes in hexadecimal. What is absent is null there. */
export interface SignOnRow {
  readonly client_id: string;
  readonly digest: string;
  readonly reference: string | undefined;
  readonly data: string;
  readonly at: string;
  readonly access_token: string | undefined;
  readonly refresh_token: string | undefined;
  readonly integration_id: string | undefined;
  readonly consent_digest: string | undefined;
  readonly consent_at: string | undefined;
  readonly consent_reference: string | undefined;
  readonly call: string | undefined;
  readonly request_id: string | undefined;
}

/** Bytes as Postgres reads them out of text. */
const bytea = (hex: string): string => `\\x${hex}`;

/** A sign-on of those that are stored together. `isStored`: whether a row of this digest, with its reference, is there already. */
export function rowOf(
  { clientId, user, tokens, consent, at }: SignOn,
  { box, index }: Seals,
  isStored: (digest: string) => boolean,
): SignOnRow {
  const digest = index.hex(...ofUser(clientId, user.reference));
  const agreed = consent ? index.hex('consent', consent.integrationId, consent.reference) : '';
  const [name, agreedName] = [bytea(digest), bytea(agreed)];
  const places = placesOf(clientId, digest);
  const seal = (text: string, place: string): string => bytea(sealText(box, text, place).toString('hex'));
  // Member by member: there is a row for every sign-on, and made of parts it would be larger and slower to make.
  return {
    client_id: clientId,
    digest: name,
    reference: isStored(name) ? undefined : seal(user.reference, places.reference),
    data: seal(userDataText(user), places.data),
    at: isoTime(at),
    access_token: tokens && seal(tokens.accessToken.reveal(), places.accessToken),
    refresh_token: tokens?.refreshToken && seal(tokens.refreshToken.reveal(), places.refreshToken),
    integration_id: consent?.integrationId,
    consent_digest: consent && agreedName,
    consent_at: consent && isoTime(consent.at),
    consent_reference: consent && !isStored(agreedName) ? seal(consent.reference, ledgerPlace(consent.integrationId, agreed)) : undefined,
    call: consent?.call,
    request_id: consent?.requestId,
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
