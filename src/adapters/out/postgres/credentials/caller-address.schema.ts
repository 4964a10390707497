import { EntitySchema } from 'typeorm';
import type { PartnerKind } from '../../../../domain/partners/registry-errors';

/** A row of caller_addresses: calls from one address in one hour. The driver reads 64-bit counts as text. */
export interface CallerAddressRow {
  partner_kind: PartnerKind;
  partner_id: string;
  /** Empty for the count of calls; otherwise kind, `/` and fingerprint of the credential value that they used. */
  credential: string;
  hour: Date;
  address: string;
  admitted: string;
  refused: string;
  last_at: Date;
  last_request_id: string;
}

const primaryKeyConstraintName = 'caller_addresses_pkey';
const key = { type: 'text', primary: true, collation: 'C', primaryKeyConstraintName } as const;

export const callerAddressSchema = new EntitySchema<CallerAddressRow>({
  name: 'CallerAddress',
  tableName: 'caller_addresses',
  columns: {
    partner_kind: key,
    partner_id: key,
    credential: key,
    hour: { type: 'timestamptz', primary: true, primaryKeyConstraintName },
    address: key,
    admitted: { type: 'bigint' },
    refused: { type: 'bigint' },
    last_at: { type: 'timestamptz' },
    last_request_id: { type: 'text' },
  },
  indices: [{ name: 'caller_addresses_by_hour', columns: ['hour'] }],
});
