import { EntitySchema } from 'typeorm';
import type { PartnerLeg } from '../../../../domain/partners/partner-errors';

/** A row of partner_circuits: a circuit that opened and has not closed since. */
export interface PartnerCircuitRow {
  side: PartnerLeg['side'];
  partner_id: string;
  step: PartnerLeg['step'];
  /** Empty for a circuit of the whole endpoint. */
  integration_id: string;
  open_until: Date;
  /** The process that opened it. */
  opened_by: string;
}

const key = { type: 'text', primary: true, collation: 'C', primaryKeyConstraintName: 'partner_circuits_pkey' } as const;

export const partnerCircuitSchema = new EntitySchema<PartnerCircuitRow>({
  name: 'PartnerCircuit',
  tableName: 'partner_circuits',
  columns: {
    ...{ side: key, partner_id: key, step: key, integration_id: key },
    open_until: { type: 'timestamptz' },
    opened_by: { type: 'text' },
  },
});
