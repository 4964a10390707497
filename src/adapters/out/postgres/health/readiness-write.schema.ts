import { EntitySchema } from 'typeorm';

/** A row of readiness_writes: disk space that the readiness check allocates and frees. */
export interface ReadinessWriteRow {
  slot: number;
  filling: string;
}

export const readinessWriteSchema = new EntitySchema<ReadinessWriteRow>({
  name: 'ReadinessWrite',
  tableName: 'readiness_writes',
  columns: {
    slot: { type: 'integer', primary: true, primaryKeyConstraintName: 'readiness_writes_pkey' },
    filling: { type: 'varchar', length: 200 },
  },
});
