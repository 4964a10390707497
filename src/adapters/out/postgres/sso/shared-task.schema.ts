import { EntitySchema } from 'typeorm';
import type { SharedTaskFailure, SharedTaskKey } from '../../../../domain/shared/tasks/single-flight';

/** A row of shared_tasks: one run of a shared task. */
export interface SharedTaskRow {
  purpose: SharedTaskKey['purpose'];
  key_digest: Buffer;
  lease: string;
  lease_until: Date;
  state: 'running' | 'completed' | 'failed';
  value: Buffer | null;
  failure: SharedTaskFailure | null;
  expires_at: Date;
}

const key = { primary: true, primaryKeyConstraintName: 'shared_tasks_pkey' } as const;

export const sharedTaskSchema = new EntitySchema<SharedTaskRow>({
  name: 'Flight',
  tableName: 'shared_tasks',
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
  checks: [{ name: 'shared_tasks_state', expression: `state in ('running', 'completed', 'failed')` }],
  indices: [{ name: 'shared_tasks_by_expiry', columns: ['expires_at'] }],
});
