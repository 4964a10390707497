import { EntitySchema } from 'typeorm';
import type { InstanceFigures } from '../../../domain/operations/instance';
import type { RunState } from '../../../domain/operations/ports';

/** A row of instances: a process of the service, as it last announced itself. */
export interface InstanceRow {
  id: string;
  version: string;
  role: 'serving' | 'worker';
  started_at: Date;
  seen_at: Date;
  drain_asked_at: Date | null;
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
    drain_asked_at: { type: 'timestamptz', nullable: true },
    left_at: { type: 'timestamptz', nullable: true },
    figures: { type: 'jsonb' },
  },
});

/** A row of backlog_samples: what waited to be delivered in one minute. */
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

/** A row of long_runs: something that takes minutes; one of its kind runs at a time. */
export interface LongRunRow<Request = object, Progress = object> {
  id: string;
  kind: string;
  subject: string;
  state: RunState;
  started_at: Date;
  beat_at: Date;
  ended_at: Date | null;
  cancel_asked: boolean;
  request: Request;
  progress: Progress;
}

export const longRunSchema = new EntitySchema<LongRunRow>({
  name: 'LongRun',
  tableName: 'long_runs',
  columns: {
    id: { type: 'text', primary: true, primaryKeyConstraintName: 'long_runs_pkey' },
    kind: { type: 'text' },
    subject: { type: 'text' },
    state: { type: 'text' },
    started_at: { type: 'timestamptz' },
    beat_at: { type: 'timestamptz' },
    ended_at: { type: 'timestamptz', nullable: true },
    cancel_asked: { type: 'boolean' },
    request: { type: 'jsonb' },
    progress: { type: 'jsonb' },
  },
  checks: [{ name: 'long_runs_state', expression: `state in ('running', 'done', 'failed', 'cancelled', 'interrupted')` }],
  indices: [
    { name: 'long_runs_one_at_a_time', columns: ['kind'], unique: true, where: `state = 'running'` },
    { name: 'long_runs_by_subject', columns: ['kind', 'subject', 'id'] },
  ],
});
