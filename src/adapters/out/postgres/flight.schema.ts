import { EntitySchema } from 'typeorm';
import type { FlightFailure, FlightKey } from '../../../domain/shared/single-flight';

/** A row of flights: one run of one piece of shared work. */
export interface FlightRow {
  purpose: FlightKey['purpose'];
  key_digest: Buffer;
  lease: string;
  lease_until: Date;
  state: 'running' | 'landed' | 'failed';
  value: Buffer | null;
  failure: FlightFailure | null;
  expires_at: Date;
}

const key = { primary: true, primaryKeyConstraintName: 'flights_pkey' } as const;

export const flightSchema = new EntitySchema<FlightRow>({
  name: 'Flight',
  tableName: 'flights',
  columns: {
    purpose: { type: 'text', ...key },
    key_digest: { type: 'bytea', ...key },
    lease: { type: 'text' },
    lease_until: { type: 'timestamptz' },
    state: { type: 'text' },
    value: { type: 'bytea', nullable: true },
    failure: { type: 'jsonb', nullable: true },
    expires_at: { type: 'timestamptz' },
  },
  checks: [{ name: 'flights_state', expression: `state in ('running', 'landed', 'failed')` }],
  indices: [{ name: 'flights_by_expiry', columns: ['expires_at'] }],
});
