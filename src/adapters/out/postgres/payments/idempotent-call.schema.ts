import { EntitySchema } from 'typeorm';

/** A row of idempotent_calls. Without a status the call runs while its lease holds; after that its outcome is unknown. */
export interface IdempotentCallRow {
  key_digest: Buffer;
  body_digest: Buffer;
  lease: string;
  lease_until: Date;
  status: number | null;
  answer: Buffer | null;
  expires_at: Date;
}

export const idempotentCallSchema = new EntitySchema<IdempotentCallRow>({
  name: 'IdempotentCall',
  tableName: 'idempotent_calls',
  columns: {
    key_digest: { type: 'bytea', primary: true, primaryKeyConstraintName: 'idempotent_calls_pkey' },
    body_digest: { type: 'bytea' },
    lease: { type: 'text' },
    lease_until: { type: 'timestamptz' },
    status: { type: 'integer', nullable: true },
    answer: { type: 'bytea', nullable: true },
    expires_at: { type: 'timestamptz' },
  },
  indices: [{ name: 'idempotent_calls_by_expiry', columns: ['expires_at'] }],
});
