/** Numbers of exchanges by outcome. */
export interface OutcomeCounts {
  readonly ok: number;
  readonly partner_error: number;
  readonly refused: number;
  readonly platform_error: number;
}

export interface TrafficSlot extends OutcomeCounts {
  readonly at: string;
}

/** Statistics of a range in slots of time. */
export interface Slotted<Slot> {
  readonly from: string;
  readonly to: string;
  readonly slot_s: number;
  readonly data: readonly Slot[];
}

export interface Latency {
  readonly count: number;
  readonly p50?: number;
  readonly p95?: number;
  readonly p99?: number;
  readonly mean?: number;
  readonly platform?: number;
  readonly host_app?: number;
  readonly miniapp?: number;
}

export interface LatencyFigures extends Slotted<Latency & { readonly at: string }> {
  readonly whole: Latency;
}

export interface RefusalSlot {
  readonly at: string;
  readonly basic: number;
  readonly signature: number;
  readonly address: number;
  readonly feature: number;
  readonly other: number;
}

export interface PairFigures extends OutcomeCounts {
  readonly client_id: string;
  readonly app_id: string;
  readonly p95?: number;
  readonly host_app_ms: number;
  readonly miniapp_ms: number;
  readonly last_at: string;
  readonly series: readonly TrafficSlot[];
}

/** A page of integrations, and the total number. */
export interface PairPage extends Omit<Slotted<PairFigures>, 'slot_s'> {
  readonly total: number;
  readonly next_cursor: string | null;
}

/** All requests count, including failures that the operator cannot fix. */
export const totalOf = ({ ok, partner_error, refused, platform_error }: OutcomeCounts): number =>
  ok + partner_error + refused + platform_error;

/** Success in percent; `null` without requests. */
export function successOf(counts: OutcomeCounts): number | null {
  const total = totalOf(counts);
  return total === 0 ? null : (100 * counts.ok) / total;
}

/** `99.95 %`; never shows 100 when a request failed. */
export function percentText(percent: number | null): string {
  if (percent === null) return '–';
  const shown = percent < 100 ? Math.min(percent, 99.99) : 100;
  return `${shown.toLocaleString('en', { maximumFractionDigits: shown > 99 ? 2 : 1 })} %`;
}

export const msText = (ms: number | undefined): string => {
  if (ms === undefined) return '–';
  return ms >= 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${ms.toLocaleString('en', { maximumFractionDigits: 1 })} ms`;
};

/** The target for success in percent. */
export const successTarget = 99.5;
