import { EntitySchema } from 'typeorm';

/** A row of erased_deliveries: a delivery that was pending when its user was erased, and is removed when it has ended. */
export interface ErasedDeliveryRow {
  delivery_id: string;
}

export const erasedDeliverySchema = new EntitySchema<ErasedDeliveryRow>({
  name: 'ErasedDelivery',
  tableName: 'erased_deliveries',
  columns: { delivery_id: { type: 'text', primary: true, primaryKeyConstraintName: 'erased_deliveries_pkey' } },
});
