import type { FigureQuery } from './ports';

/** The kind of token: a user's at the host app, or ours by the client credentials grant. */
export const refreshedTokens = ['user', 'client'] as const;
export type RefreshedToken = (typeof refreshedTokens)[number];

/** `ok`: a new token came; `failed`: none did; `shared`: the call used the result of another call's refresh. */
export const refreshOutcomes = ['ok', 'failed', 'shared'] as const;
export type RefreshOutcome = (typeof refreshOutcomes)[number];

/** A call that needed a new token. */
export interface TokenRefresh {
  readonly clientId: string;
  readonly token: RefreshedToken;
  readonly outcome: RefreshOutcome;
}

/** Records token refreshes. Returns at once and never fails; written in batches soon after. */
export interface RefreshLog {
  refreshed(refresh: TokenRefresh): void;
}

/** Number of refreshes with the same result in one slot. */
export interface RefreshCount extends Omit<TokenRefresh, 'clientId'> {
  /** When the slot begins; milliseconds since the epoch. */
  readonly slot: number;
  readonly count: number;
}

/** Reads counts of refreshes, kept for 31 days; at most two seconds behind. */
export interface RefreshFigureReader {
  /** In no particular order. */
  refreshes(query: Pick<FigureQuery, 'from' | 'to' | 'slotS' | 'clientId'>): Promise<readonly RefreshCount[]>;
}

/** Counts of one minute. */
export interface RefreshRow extends TokenRefresh {
  /** When the minute began; milliseconds since the epoch. */
  readonly minute: number;
  readonly count: number;
}

const minuteMs = 60_000;
const maxRows = 20_000;

/** Counts refreshes by the minute, in bounded memory. */
export class RefreshTally {
  private rows = new Map<string, RefreshRow>();

  get isEmpty(): boolean {
    return this.rows.size === 0;
  }

  refreshed(refresh: TokenRefresh, now: number): void {
    this.add({ ...refresh, minute: now - (now % minuteMs), count: 1 });
  }

  /** Returns the counts since the last drain, sorted, so that all writers lock rows in the same order. */
  drain(): readonly RefreshRow[] {
    const rows = [...this.rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    this.rows = new Map();
    return rows;
  }

  /** Takes back rows that could not be written. */
  restore(rows: readonly RefreshRow[]): void {
    for (const row of rows) this.add(row);
  }

  private add(row: RefreshRow): void {
    const name = `${row.clientId}|${String(row.minute)}|${row.outcome}|${row.token}`;
    const before = this.rows.get(name);
    if (!before && this.rows.size >= maxRows) return;
    this.rows.set(name, { ...row, count: row.count + (before?.count ?? 0) });
  }
}
