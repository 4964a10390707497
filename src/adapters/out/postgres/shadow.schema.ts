import { EntitySchema } from 'typeorm';
import type { ShadowVerdict } from '../../../domain/credentials/signature-shadow';
import type { PartnerKind } from '../../../domain/partners/registry-errors';

/** What both tables of shadows begin with. Empty text stands for what a verdict lacks. */
interface OfShadow {
  partner_kind: PartnerKind;
  partner_id: string;
  shadow_id: string;
  verdict: ShadowVerdict;
  error_code: string;
  cause: string;
}

/** A row of shadow_counts: calls that fared alike. The driver gives 64 bit counts as text. */
export interface ShadowCountRow extends OfShadow {
  count: string;
  last_at: Date;
}

/** A row of shadow_calls: one of the latest calls. */
export interface ShadowCallRow extends OfShadow {
  at: Date;
  id: string;
  request_id: string;
  path: string;
}

const text = { type: 'text', collation: 'C' } as const;
const keyOf = (primaryKeyConstraintName: string) => ({ ...text, primary: true, primaryKeyConstraintName }) as const;
const ofCounts = keyOf('shadow_counts_pkey');
const ofCalls = keyOf('shadow_calls_pkey');

export const shadowCountSchema = new EntitySchema<ShadowCountRow>({
  name: 'ShadowCount',
  tableName: 'shadow_counts',
  columns: {
    partner_kind: ofCounts,
    partner_id: ofCounts,
    shadow_id: ofCounts,
    verdict: ofCounts,
    error_code: ofCounts,
    cause: ofCounts,
    count: { type: 'bigint' },
    last_at: { type: 'timestamptz' },
  },
  indices: [{ name: 'shadow_counts_by_time', columns: ['last_at'] }],
});

export const shadowCallSchema = new EntitySchema<ShadowCallRow>({
  name: 'ShadowCall',
  tableName: 'shadow_calls',
  columns: {
    partner_kind: ofCalls,
    partner_id: ofCalls,
    shadow_id: ofCalls,
    at: { type: 'timestamptz', primary: true, primaryKeyConstraintName: 'shadow_calls_pkey' },
    id: ofCalls,
    verdict: text,
    error_code: text,
    cause: text,
    request_id: { type: 'text' },
    path: { type: 'text' },
  },
  indices: [{ name: 'shadow_calls_by_time', columns: ['at'] }],
});
