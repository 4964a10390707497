import type { SecretCipher } from '../../../../domain/credentials/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import type { ConsentEntry, ConsentKey } from '../../../../domain/sso/consent';
import { referenceSealContext, userDigest, type ReferenceIndex } from '../sealing/reference-index';
import { sealText } from '../sealing/sealed-text';
import type { Statement } from '../connection/statement';
import { columnParameters, type ArrayType, type ArrayValue } from '../connection/array-parameters';

/** The column types of a batch of entries; `fields` is a JSON list. */
const columns = {
  integration_id: 'text',
  digest: 'bytea',
  reference: 'bytea',
  granted: 'boolean',
  fields: 'text',
  text_version: 'text',
  call: 'text',
  request_id: 'text',
  at: 'timestamptz',
} as const satisfies Readonly<Record<string, ArrayType>>;

const types = Object.values(columns);
const arrays = types.map((type, index) => `$${String(index + 1)}::${type}[]`);

/**
 * Records consents, each of a different user or integration. An unchanged state is not written; only a change adds an entry to the history.
 * Absent fields and text version keep their values while the state stays. Withdrawing a consent that was never given changes nothing. All
 * statements lock rows in one order, so that no two of them deadlock. Takes `consentParameters`.
 */
export const recordConsents: Statement = {
  name: 'consents.record',
  text: `
    with sent as (select * from unnest(${arrays.join(', ')}) as s (${Object.keys(columns).join(', ')})),
    given as (
      select integration_id, digest, reference, granted, text_version, call, request_id, at,
        case when fields is not null then array(select json_array_elements_text(fields::json)) end as fields
      from sent
    ), changed as (
      insert into consents (integration_id, reference_digest, granted, fields, text_version, updated_at)
      select integration_id, digest, granted, fields, text_version, at from given g
      where g.granted or exists (select from consents c where c.integration_id = g.integration_id and c.reference_digest = g.digest)
      order by integration_id, digest
      on conflict (integration_id, reference_digest) do update set
        granted = excluded.granted,
        fields = case when consents.granted = excluded.granted then coalesce(excluded.fields, consents.fields) else excluded.fields end,
        text_version = case when consents.granted = excluded.granted
          then coalesce(excluded.text_version, consents.text_version) else excluded.text_version end,
        updated_at = excluded.updated_at
      where consents.granted <> excluded.granted
        or excluded.fields is not null and excluded.fields is distinct from consents.fields
        or excluded.text_version is not null and excluded.text_version is distinct from consents.text_version
      returning integration_id, reference_digest
    )
    insert into consent_entries (integration_id, reference_digest, reference, granted, fields, text_version, call, request_id, at)
    select g.integration_id, g.digest, g.reference, g.granted, g.fields, g.text_version, g.call, g.request_id, g.at
    from changed c join given g on g.integration_id = c.integration_id and g.digest = c.reference_digest`,
};

/** A row of `recordConsents`, its reference sealed. */
export interface ConsentRow {
  readonly integrationId: string;
  readonly digest: Buffer;
  readonly values: readonly ArrayValue[];
}

/** The digest of the user. Throws MissingId when the key lacks a part. */
export function consenterDigest(index: ReferenceIndex, key: ConsentKey): Buffer {
  requireIds({ integrationId: key.integrationId });
  return userDigest(index, key);
}

/** Seals an entry into a row. */
export function consentRow(entry: ConsentEntry, { box, index }: { box: SecretCipher; index: ReferenceIndex }): ConsentRow {
  const { integrationId, granted, fields, textVersion, call, requestId, at } = entry;
  const digest = consenterDigest(index, entry);
  const reference = sealText(box, entry.reference, referenceSealContext(digest));
  const fieldsJson = fields ? JSON.stringify(fields) : null;
  return {
    integrationId,
    digest,
    values: [integrationId, digest, reference, granted, fieldsJson, textVersion ?? null, call, requestId, new Date(at)],
  };
}

/** The parameters of `recordConsents`. */
export const consentParameters = (rows: readonly ConsentRow[]): Buffer[] =>
  columnParameters(
    types,
    rows.map(({ values }) => values),
  );
