import { EntitySchema } from 'typeorm';

/** A row of deliveries: what is owed to a partner until it is received or given up. */
export interface DeliveryRow {
  id: string;
  integration_id: string;
  kind: 'completion';
  /** Deliveries of one key leave in order. */
  key: string;
  body: Buffer;
  state: 'ready';
  attempts: number;
  due_at: Date;
  lease: string | null;
  lease_until: Date | null;
  created_at: Date;
}

export const deliverySchema = new EntitySchema<DeliveryRow>({
  name: 'Delivery',
  tableName: 'deliveries',
  columns: {
    id: { type: 'text', primary: true, primaryKeyConstraintName: 'deliveries_pkey' },
    integration_id: { type: 'text' },
    kind: { type: 'text' },
    key: { type: 'text' },
    body: { type: 'bytea' },
    state: { type: 'text' },
    attempts: { type: 'integer', default: 0 },
    due_at: { type: 'timestamptz' },
    lease: { type: 'text', nullable: true },
    lease_until: { type: 'timestamptz', nullable: true },
    created_at: { type: 'timestamptz' },
  },
  indices: [
    { name: 'deliveries_due', columns: ['due_at'], where: `state = 'ready'` },
    { name: 'deliveries_by_integration', columns: ['integration_id', 'created_at'] },
  ],
});
