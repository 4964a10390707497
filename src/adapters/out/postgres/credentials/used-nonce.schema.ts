import { EntitySchema } from 'typeorm';

/** A row of used_nonces. */
export interface UsedNonceRow {
  partner: string;
  nonce: string;
  expires_at: Date;
}

const key = { type: 'text', primary: true, collation: 'C', primaryKeyConstraintName: 'used_nonces_pkey' } as const;

export const usedNonceSchema = new EntitySchema<UsedNonceRow>({
  name: 'UsedNonce',
  tableName: 'used_nonces',
  columns: { partner: key, nonce: key, expires_at: { type: 'timestamptz' } },
  indices: [{ name: 'used_nonces_by_expiry', columns: ['expires_at'] }],
});
