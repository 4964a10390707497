import type { SecretBox } from '../../../domain/credentials/ports';
import type { ConsentEntry } from '../../../domain/sso/consent';
import type { ReferenceIndex } from './reference-index';
import { sealText } from './sealed-text';

/** Where a reference in the ledger is sealed to. The digest as bytes or in hexadecimal. */
export const ledgerPlace = (integrationId: string, digest: Buffer | string): string =>
  `consent_ledger.reference:${integrationId}/${typeof digest === 'string' ? digest : digest.toString('hex')}`;

/**
 * The end of a statement that records consent: a state that does not change is not written, and only a change reaches the
 * ledger. Fields and text version that are not said stay as they are while the state stays; a withdrawal of what was
 * never given changes nothing. Takes nine parameters from number `first` on, as `consentColumns` gives them.
 */
export function consentSteps(first: number): string {
  const [integration, digest, granted, fields, textVersion, at, reference, call, requestId] = Array.from(
    { length: 9 },
    (_, i) => `$${first + i}`,
  );
  return `
    changed as (
      insert into consents (integration_id, reference_digest, granted, fields, text_version, updated_at)
      select ${integration}::text, ${digest}::bytea, ${granted}::boolean, ${fields}::text[], ${textVersion}::text, ${at}::timestamptz
      where ${integration}::text is not null and (${granted}::boolean or exists (
        select from consents where integration_id = ${integration} and reference_digest = ${digest}))
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
    select integration_id, reference_digest, ${reference}::bytea, granted, ${fields}::text[], ${textVersion}::text, ${call}::text,
      ${requestId}::text, ${at}::timestamptz
    from changed`;
}

/** The nine parameters of `consentSteps`; all empty where there is nothing to record. */
export function consentColumns(entry: ConsentEntry | undefined, { box, index }: { box: SecretBox; index: ReferenceIndex }): unknown[] {
  if (!entry) return Array.from({ length: 9 }, () => null);
  const digest = index.digest('consent', entry.integrationId, entry.reference);
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
