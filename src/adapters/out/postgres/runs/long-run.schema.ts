import { EntitySchema } from 'typeorm';
import type { RunState } from '../../../../domain/operations/ports';

/** A row of long_runs: a task that takes minutes. Only one of each kind runs at a time. */
export interface LongRunRow<Request = object, Progress = object> {
  id: string;
  kind: string;
  subject: string;
  state: RunState;
  started_at: Date;
  beat_at: Date;
  ended_at: Date | null;
  cancel_requested: boolean;
  request: Request;
  progress: Progress;
}

/** The condition of the unique index: each kind occurs once among these rows. */
export const onlyOneRuns = `state = 'running'`;

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
    cancel_requested: { type: 'boolean' },
    request: { type: 'jsonb' },
    progress: { type: 'jsonb' },
  },
  checks: [{ name: 'long_runs_state', expression: `state in ('running', 'done', 'failed', 'cancelled', 'interrupted')` }],
  indices: [
    { name: 'long_runs_one_at_a_time', columns: ['kind'], unique: true, where: onlyOneRuns },
    { name: 'long_runs_by_subject', columns: ['kind', 'subject', 'id'] },
    { name: 'long_runs_of_kind', columns: ['kind', 'id'] },
  ],
});
