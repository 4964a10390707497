import { EntitySchema } from 'typeorm';

/** The grains of sums: minutes, whole hours, half-days of UTC, or whole hours over all pairs (with empty ids). */
export type Grain = 'minute' | 'hour' | 'half-day' | 'all-hour';

/** A row of figure_sums: the exchanges of one slot that share the whole key. Empty text means that the exchange lacks the value. */
export interface FigureSumRow {
  grain: Grain;
  slot: Date;
  client_id: string;
  app_id: string;
  call: string;
  status: number;
  error_code: string;
  failed_side: string;
  failed_step: string;
  count: string;
  ms: string;
  hostapp_ms: string;
  miniapp_ms: string;
  first_at: Date;
  last_at: Date;
}

const keyOf = <Type extends string>(primaryKeyConstraintName: string, type: Type) =>
  ({ type, primary: true, primaryKeyConstraintName }) as const;

const byPartner = (table: string): { name: string; columns: string[] }[] => [
  { name: `${table}_by_host_app`, columns: ['client_id', 'grain', 'slot'] },
  { name: `${table}_by_miniapp`, columns: ['app_id', 'grain', 'slot'] },
];

const ofSums = { ...keyOf('figure_sums_pkey', 'text'), collation: 'C' } as const;

export const figureSumSchema = new EntitySchema<FigureSumRow>({
  name: 'FigureSum',
  tableName: 'figure_sums',
  columns: {
    grain: keyOf('figure_sums_pkey', 'text'),
    slot: keyOf('figure_sums_pkey', 'timestamptz'),
    client_id: ofSums,
    app_id: ofSums,
    call: ofSums,
    status: keyOf('figure_sums_pkey', 'integer'),
    error_code: ofSums,
    failed_side: ofSums,
    failed_step: ofSums,
    count: { type: 'bigint' },
    ms: { type: 'bigint' },
    hostapp_ms: { type: 'bigint' },
    miniapp_ms: { type: 'bigint' },
    first_at: { type: 'timestamptz' },
    last_at: { type: 'timestamptz' },
  },
  indices: byPartner('figure_sums'),
});

/** A row of figure_durations: how many exchanges of one slot had a duration in `step`, as defined by the domain's durations.ts. */
export interface FigureDurationRow {
  grain: Grain;
  slot: Date;
  client_id: string;
  app_id: string;
  call: string;
  step: number;
  count: string;
}

const ofDurations = { ...keyOf('figure_durations_pkey', 'text'), collation: 'C' } as const;

export const figureDurationSchema = new EntitySchema<FigureDurationRow>({
  name: 'FigureDuration',
  tableName: 'figure_durations',
  columns: {
    grain: keyOf('figure_durations_pkey', 'text'),
    slot: keyOf('figure_durations_pkey', 'timestamptz'),
    client_id: ofDurations,
    app_id: ofDurations,
    call: ofDurations,
    step: keyOf('figure_durations_pkey', 'integer'),
    count: { type: 'bigint' },
  },
  indices: byPartner('figure_durations'),
});

/** A row of figure_pairs: the exchanges and failures of a pair in one half-day. */
export interface FigurePairRow {
  slot: Date;
  client_id: string;
  app_id: string;
  count: string;
  failed: string;
}

const ofPairs = { ...keyOf('figure_pairs_pkey', 'text'), collation: 'C' } as const;

export const figurePairSchema = new EntitySchema<FigurePairRow>({
  name: 'FigurePair',
  tableName: 'figure_pairs',
  columns: {
    slot: keyOf('figure_pairs_pkey', 'timestamptz'),
    client_id: ofPairs,
    app_id: ofPairs,
    count: { type: 'bigint' },
    failed: { type: 'bigint' },
  },
});

/** A row of figure_progress: everything before `until` is summed. Half-days that end by then are complete. */
export interface FigureProgressRow {
  grain: Grain;
  until: Date;
}

export const figureProgressSchema = new EntitySchema<FigureProgressRow>({
  name: 'FigureProgress',
  tableName: 'figure_progress',
  columns: { grain: keyOf('figure_progress_pkey', 'text'), until: { type: 'timestamptz' } },
});

/** A row of token_refreshes: the refreshes of one host app's tokens in one minute with equal results. */
export interface TokenRefreshRow {
  client_id: string;
  minute: Date;
  token: string;
  outcome: string;
  count: string;
}

const ofRefreshes = { ...keyOf('token_refreshes_pkey', 'text'), collation: 'C' } as const;

export const tokenRefreshSchema = new EntitySchema<TokenRefreshRow>({
  name: 'TokenRefresh',
  tableName: 'token_refreshes',
  columns: {
    client_id: ofRefreshes,
    minute: keyOf('token_refreshes_pkey', 'timestamptz'),
    token: ofRefreshes,
    outcome: ofRefreshes,
    count: { type: 'bigint' },
  },
  indices: [{ name: 'token_refreshes_by_minute', columns: ['minute'] }],
});
