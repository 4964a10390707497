/** An instance in `/operations/instances`. */
export interface Instance {
  readonly id: string;
  readonly version: string;
  readonly role: 'serving' | 'worker';
  readonly state: 'serving' | 'draining' | 'lost' | 'left';
  readonly started_at: string;
  readonly seen_at: string;
  readonly silent_ms: number;
  readonly event_loop_delay_ms: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly pool: { readonly max: number; readonly open: number; readonly in_use: number; readonly waiting: number };
  readonly calls: number;
  readonly shed: { readonly first: number; readonly next: number; readonly last: number };
  readonly memory_bytes: number;
  readonly processor: number;
}

export interface Backlog {
  readonly waiting: number;
  readonly oldest_ms: number;
  readonly late_ms: number;
}

export interface BacklogAnswer {
  readonly now: Backlog & { readonly at_least: boolean };
  readonly data: readonly (Backlog & { readonly at: string })[];
}

export interface Queue {
  readonly queue: string;
  readonly state: 'clear' | 'failing' | 'open' | 'half-open' | 'recovering' | 'paused';
  readonly failures: number;
  readonly waiting: number;
  readonly oldest?: string;
  readonly next_probe_at?: string;
}

export interface LimitUse {
  readonly limit: string;
  readonly allowed: number;
  readonly subjects: number;
  readonly busiest: number;
  readonly reached: number;
}

export interface Standing {
  readonly version: string;
  readonly database: {
    readonly version: string;
    readonly size_bytes: number;
    readonly connections: number;
    readonly max_connections: number;
    readonly audit_trail_protected: boolean;
    readonly migrations: { readonly applied: readonly string[]; readonly pending: readonly string[]; readonly unknown: readonly string[] };
  };
}

export interface EncryptionKey {
  readonly id: string;
  readonly first: boolean;
  readonly known: boolean;
  readonly values: number;
  readonly by_column: Readonly<Record<string, number>>;
}

export interface Rewrap {
  readonly id: string;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  readonly key: string;
  readonly started_at: string;
  readonly ended_at?: string;
  readonly columns_of: number;
  readonly seen: number;
  readonly columns: readonly { readonly resealed: number; readonly seen: number; readonly unreadable: number }[];
}

/** `12.3 MB`. */
export function sizeWords(bytes: number): string {
  const [unit, size] = (
    [
      ['GB', 1e9],
      ['MB', 1e6],
      ['kB', 1e3],
    ] as const
  ).find(([, least]) => bytes >= least) ?? ['B', 1];
  return `${(bytes / size).toLocaleString('en', { maximumFractionDigits: bytes >= 1e9 ? 1 : 0 })} ${unit}`;
}
