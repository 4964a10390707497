import { EntitySchema } from 'typeorm';

/** The primary key of muted_problems. Empty text means that the problem lacks the value. */
export interface MutedProblemKey {
  error_code: string;
  failed_side: string;
  failed_step: string;
  client_id: string;
  app_id: string;
}

/** A row of muted_problems. */
export interface MutedProblemRow extends MutedProblemKey {
  actor: string;
  reason: string;
  at: Date;
}

const key = { type: 'text', primary: true, collation: 'C', primaryKeyConstraintName: 'muted_problems_pkey' } as const;

export const mutedProblemSchema = new EntitySchema<MutedProblemRow>({
  name: 'MutedProblem',
  tableName: 'muted_problems',
  columns: {
    ...{ error_code: key, failed_side: key, failed_step: key, client_id: key, app_id: key },
    actor: { type: 'text' },
    reason: { type: 'text' },
    at: { type: 'timestamptz' },
  },
});
