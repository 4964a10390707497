import { EntitySchema } from 'typeorm';
import type { DryRunVerdict } from '../../../../domain/credentials/dry-run/signature-dry-run';
import type { PartnerKind } from '../../../../domain/partners/registry-errors';

/** The common columns of both dry-run tables. Empty text means that the verdict lacks the value. */
interface OfDryRun {
  partner_kind: PartnerKind;
  partner_id: string;
  dry_run_id: string;
  verdict: DryRunVerdict;
  error_code: string;
  cause: string;
}

/** A row of dry_run_counts: the number of calls with equal results. The driver reads 64-bit counts as text. */
export interface DryRunCountRow extends OfDryRun {
  count: string;
  last_at: Date;
}

/** A row of dry_run_calls: one of the latest calls. */
export interface DryRunCallRow extends OfDryRun {
  at: Date;
  id: string;
  request_id: string;
  path: string;
}

const text = { type: 'text', collation: 'C' } as const;
const keyOf = (primaryKeyConstraintName: string) => ({ ...text, primary: true, primaryKeyConstraintName }) as const;
const ofCounts = keyOf('dry_run_counts_pkey');
const ofCalls = keyOf('dry_run_calls_pkey');

export const dryRunCountSchema = new EntitySchema<DryRunCountRow>({
  name: 'DryRunCount',
  tableName: 'dry_run_counts',
  columns: {
    partner_kind: ofCounts,
    partner_id: ofCounts,
    dry_run_id: ofCounts,
    verdict: ofCounts,
    error_code: ofCounts,
    cause: ofCounts,
    count: { type: 'bigint' },
    last_at: { type: 'timestamptz' },
  },
  indices: [{ name: 'dry_run_counts_by_time', columns: ['last_at'] }],
});

export const dryRunCallSchema = new EntitySchema<DryRunCallRow>({
  name: 'DryRunCall',
  tableName: 'dry_run_calls',
  columns: {
    partner_kind: ofCalls,
    partner_id: ofCalls,
    dry_run_id: ofCalls,
    at: { type: 'timestamptz', primary: true, primaryKeyConstraintName: 'dry_run_calls_pkey' },
    id: ofCalls,
    verdict: text,
    error_code: text,
    cause: text,
    request_id: { type: 'text' },
    path: { type: 'text' },
  },
  indices: [{ name: 'dry_run_calls_by_time', columns: ['at'] }],
});
