import type { SecretBox } from '../../../domain/credentials/ports';
import type { ConsentEntry, ConsentKey } from '../../../domain/sso/consent';
import type { ReferenceIndex } from './reference-index';
import { sealText } from './sealed-text';
import type { Statement } from './statement';

/** By which the consent of a user to a miniapp is found. */
export const consentDigest = (index: ReferenceIndex, { integrationId, reference }: ConsentKey): Buffer =>
  index.digest('consent', integrationId, reference);

/** Where a reference in the ledger is sealed to. */
export const ledgerPlace = (integrationId: string, digest: Buffer): string =>
  `consent_ledger.reference:${integrationId}/${digest.toString('hex')}`;

/**
 * Records consent: a state that does not change is not written, and only a change reaches the ledger. Fields and text version that are
 * not said stay as they are while the state stays; a withdrawal of consent that was never given changes nothing. Takes `consentColumns`.
 */
export const recordConsent: Statement = {
  name: 'consents.record',
  text: `
    with changed as (
      insert into consents (integration_id, reference_digest, granted, fields, text_version, updated_at)
      select $1::text, $2::bytea, $3::boolean, $4::text[], $5::text, $6::timestamptz
      where $3::boolean or exists (select from consents where integration_id = $1 and reference_digest = $2)
      on conflict (integration_id, reference_digest) do update set
        granted = excluded.granted,
        fields = case when consents.granted = excluded.granted then coalesce(excluded.fields, consents.fields) else excluded.fields end,
        text_version = case when consents.granted = excluded.granted
          then coalesce(excluded.text_version, consents.text_version) else excluded.text_version end,
        updated_at = excluded.updated_at
      where consents.granted <> excluded.granted
        or excluded.fields is not null and excluded.fields is distinct from consents.fields
        or excluded.text_version is not null and excluded.text_version is distinct from consents.text_version
      returning integration_id, reference_digest, granted
    )
    insert into consent_ledger (integration_id, reference_digest, reference, granted, fields, text_version, call, request_id, at)
    select integration_id, reference_digest, $7::bytea, granted, $4::text[], $5::text, $8::text, $9::text, $6::timestamptz
    from changed`,
};

/** The parameters of `recordConsent`. */
export function consentColumns(entry: ConsentEntry, { box, index }: { box: SecretBox; index: ReferenceIndex }): unknown[] {
  const digest = consentDigest(index, entry);
  return [
    entry.integrationId,
    digest,
    entry.granted,
    entry.fields ?? null,
    entry.textVersion ?? null,
    new Date(entry.at),
    sealText(box, entry.reference, ledgerPlace(entry.integrationId, digest)),
    entry.call,
    entry.requestId,
  ];
}
