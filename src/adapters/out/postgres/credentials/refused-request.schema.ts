import { EntitySchema } from 'typeorm';

/** A row of refused_requests. */
export interface RefusedRequestRow {
  exchange_id: string;
  partner_kind: 'host-app' | 'miniapp';
  partner_id: string;
  sealed: Buffer;
  received_at: Date;
  expires_at: Date;
}

export const refusedRequestSchema = new EntitySchema<RefusedRequestRow>({
  name: 'RefusedRequest',
  tableName: 'refused_requests',
  columns: {
    exchange_id: { type: 'text', primary: true, collation: 'C', primaryKeyConstraintName: 'refused_requests_pkey' },
    partner_kind: { type: 'text' },
    partner_id: { type: 'text' },
    sealed: { type: 'bytea' },
    received_at: { type: 'timestamptz' },
    expires_at: { type: 'timestamptz' },
  },
  checks: [{ name: 'refused_requests_partner_kind_check', expression: `partner_kind in ('host-app', 'miniapp')` }],
  indices: [{ name: 'refused_requests_by_expiry', columns: ['expires_at'] }],
});

/** The seal context of a refused request. */
export const refusedRequestSealContext = ({ exchange_id }: Pick<RefusedRequestRow, 'exchange_id'>): string =>
  `refused_requests.sealed:${exchange_id}`;
