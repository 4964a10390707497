import type { FigureQuery } from './ports';

/** Whose token it is: a user's at the host app, or ours by the client credentials grant. */
export const refreshedTokens = ['user', 'client'] as const;
export type RefreshedToken = (typeof refreshedTokens)[number];

/** `ok`: a new token came; `failed`: none did; `shared`: a call took the answer to another one's refresh, and made none. */
export const refreshOutcomes = ['ok', 'failed', 'shared'] as const;
export type RefreshOutcome = (typeof refreshOutcomes)[number];

/** A call that needed a new token. */
export interface TokenRefresh {
  readonly clientId: string;
  readonly token: RefreshedToken;
  readonly outcome: RefreshOutcome;
}

/** Hears of refreshes. Returns at once and never fails; written in groups soon after. */
export interface RefreshLog {
  refreshed(refresh: TokenRefresh): void;
}

/** Refreshes that went alike in one slot. */
export interface RefreshCount extends Omit<TokenRefresh, 'clientId'> {
  /** When the slot begins; milliseconds since the epoch. */
  readonly slot: number;
  readonly count: number;
}

/** Refreshes as numbers, for 31 days; at the latest two seconds behind. */
export interface RefreshFigures {
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
const rowsAtMost = 20_000;

/** Counts refreshes by the minute, in bounded memory. */
export class RefreshTally {
  private rows = new Map<string, RefreshRow>();

  get isEmpty(): boolean {
    return this.rows.size === 0;
  }

  refreshed(refresh: TokenRefresh, now: number): void {
    this.add({ ...refresh, minute: now - (now % minuteMs), count: 1 });
  }

  /** Counts since the last time, in the order in which every writer takes rows. */
  drain(): readonly RefreshRow[] {
    const rows = [...this.rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    this.rows = new Map();
    return rows;
  }

  /** Takes back what could not be written. */
  restore(rows: readonly RefreshRow[]): void {
    for (const row of rows) this.add(row);
  }

  private add(row: RefreshRow): void {
    const name = `${row.clientId}|${String(row.minute)}|${row.outcome}|${row.token}`;
    const before = this.rows.get(name);
    if (!before && this.rows.size >= rowsAtMost) return;
    this.rows.set(name, { ...row, count: row.count + (before?.count ?? 0) });
  }
}
