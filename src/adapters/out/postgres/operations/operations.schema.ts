import { EntitySchema } from 'typeorm';
import type { InstanceFigures } from '../../../../domain/operations/instance';

/** A row of instances: the last announcement of a process of the service. */
export interface InstanceRow {
  id: string;
  version: string;
  role: 'serving' | 'worker';
  started_at: Date;
  seen_at: Date;
  drain_requested_at: Date | null;
  left_at: Date | null;
  figures: InstanceFigures;
}

export const instanceSchema = new EntitySchema<InstanceRow>({
  name: 'Instance',
  tableName: 'instances',
  columns: {
    id: { type: 'text', primary: true, primaryKeyConstraintName: 'instances_pkey' },
    version: { type: 'text' },
    role: { type: 'text' },
    started_at: { type: 'timestamptz' },
    seen_at: { type: 'timestamptz' },
    drain_requested_at: { type: 'timestamptz', nullable: true },
    left_at: { type: 'timestamptz', nullable: true },
    figures: { type: 'jsonb' },
  },
});

/** A row of backlog_samples: the deliveries that waited in one minute. */
export interface BacklogSampleRow {
  at: Date;
  waiting: number;
  oldest_ms: string;
  late_ms: string;
}

export const backlogSampleSchema = new EntitySchema<BacklogSampleRow>({
  name: 'BacklogSample',
  tableName: 'backlog_samples',
  columns: {
    at: { type: 'timestamptz', primary: true, primaryKeyConstraintName: 'backlog_samples_pkey' },
    waiting: { type: 'integer' },
    oldest_ms: { type: 'bigint' },
    late_ms: { type: 'bigint' },
  },
});
