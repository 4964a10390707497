import { EntitySchema } from 'typeorm';
import type { ConsentEntry } from '../../../../domain/sso/consent';
import type { UserKey } from '../../../../domain/sso/user-data';

/** A row of consents: the current state of one user's consent for one integration. */
export interface ConsentRow {
  integration_id: string;
  reference_digest: Buffer;
  granted: boolean;
  fields: string[] | null;
  text_version: string | null;
  updated_at: Date;
}

const key = { primary: true, primaryKeyConstraintName: 'consents_pkey' } as const;

export const consentSchema = new EntitySchema<ConsentRow>({
  name: 'Consent',
  tableName: 'consents',
  columns: {
    integration_id: { type: 'text', ...key },
    reference_digest: { type: 'bytea', ...key },
    granted: { type: 'boolean' },
    fields: { type: 'text', array: true, nullable: true },
    text_version: { type: 'text', nullable: true },
    updated_at: { type: 'timestamptz' },
  },
  indices: [{ name: 'consents_by_user', columns: ['reference_digest'] }],
});

/** A row of consent_entries: one change of a consent. */
export interface ConsentEntryRow {
  id: string;
  integration_id: string;
  reference_digest: Buffer;
  reference: Buffer;
  granted: boolean;
  fields: string[] | null;
  text_version: string | null;
  call: string;
  request_id: string;
  at: Date;
}

export const consentEntrySchema = new EntitySchema<ConsentEntryRow>({
  name: 'ConsentLedgerEntry',
  tableName: 'consent_entries',
  columns: {
    id: { type: 'bigint', primary: true, generated: 'increment', primaryKeyConstraintName: 'consent_entries_pkey' },
    integration_id: { type: 'text' },
    reference_digest: { type: 'bytea' },
    reference: { type: 'bytea' },
    granted: { type: 'boolean' },
    fields: { type: 'text', array: true, nullable: true },
    text_version: { type: 'text', nullable: true },
    call: { type: 'text' },
    request_id: { type: 'text' },
    at: { type: 'timestamptz' },
  },
  indices: [{ name: 'consent_entries_by_user', columns: ['reference_digest', 'integration_id', 'id'] }],
});

export const consentEntryFrom = (row: Omit<ConsentEntryRow, 'id'>, user: UserKey): ConsentEntry => ({
  ...user,
  integrationId: row.integration_id,
  granted: row.granted,
  ...(row.fields === null ? {} : { fields: row.fields }),
  ...(row.text_version === null ? {} : { textVersion: row.text_version }),
  call: row.call,
  requestId: row.request_id,
  at: row.at.getTime(),
});
