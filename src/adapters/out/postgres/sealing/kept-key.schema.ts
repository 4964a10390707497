import { EntitySchema } from 'typeorm';

/** A row of kept_keys: a key of the service that outlives the encryption keys under which it is sealed. */
export interface KeptKeyRow {
  name: string;
  sealed: Buffer;
}

export const keptKeySchema = new EntitySchema<KeptKeyRow>({
  name: 'KeptKey',
  tableName: 'kept_keys',
  columns: {
    name: { type: 'text', primary: true, primaryKeyConstraintName: 'kept_keys_pkey' },
    sealed: { type: 'bytea' },
  },
});
