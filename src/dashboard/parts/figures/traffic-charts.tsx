import type { Query } from '../../api/manage';
import { useRecord } from '../../api/use-record';
import { Lines } from '../charts/lines';
import { outcomeColors } from '../charts/palette';
import { StackedColumns } from '../charts/stacked-columns';
import {
  msText,
  percentText,
  successOf,
  successTarget,
  type LatencyFigures,
  type OutcomeCounts,
  type RefusalSlot,
  type Slotted,
  type TrafficSlot,
} from './figures';
import { SlotChart } from './slot-chart';

interface Whose {
  /** `client_id` and `app_id`, to restrict the chart. */
  readonly query?: Query;
}

const outcomeSeries = [
  { name: 'ok', title: 'OK', color: outcomeColors.ok },
  { name: 'partner_error', title: 'Partner error', color: outcomeColors.partner },
  { name: 'refused', title: 'Refused', color: outcomeColors.refused },
  { name: 'platform_error', title: 'Pierhead error', color: outcomeColors.platform },
];

const countsIn = ({ ok, partner_error, refused, platform_error }: OutcomeCounts) => ({ ok, partner_error, refused, platform_error });

const ranged = (query: Query) => ({ query, ranged: true, live: 'exchanges' }) as const;

/** Requests by outcome. */
export function TrafficChart({ query = {} }: Whose) {
  const result = useRecord<Slotted<TrafficSlot>>('/figures/traffic', ranged(query));
  return (
    <SlotChart
      title="Traffic"
      unit="Requests by outcome"
      result={result}
      series={outcomeSeries}
      valuesOf={countsIn}
      filter={query}
      emptyWords="No requests in this range"
      draw={(drawn) => <StackedColumns {...drawn} />}
    />
  );
}

/** The share of successful requests, against the target. */
export function SuccessChart({ query = {} }: Whose) {
  const result = useRecord<Slotted<TrafficSlot>>('/figures/traffic', ranged(query));
  const slots = result.data?.data ?? [];
  const lowest = Math.min(99, ...slots.map((slot) => successOf(slot) ?? 100));
  return (
    <SlotChart
      title="Success rate"
      unit={budgetWords(slots)}
      result={result}
      series={[{ name: 'success', title: 'Success', color: outcomeColors.ok }]}
      valuesOf={(slot) => ({ success: successOf(slot) })}
      valueText={percentText}
      drawsZero
      filter={query}
      emptyWords="No requests in this range"
      draw={(drawn) => (
        <Lines
          {...drawn}
          domain={[Math.max(0, Math.floor(lowest - 1)), 100]}
          target={{ value: successTarget, title: `target ${String(successTarget)} %` }}
        />
      )}
    />
  );
}

/** How many more requests may fail before the target is missed in this range. */
function budgetWords(slots: readonly OutcomeCounts[]): string {
  const total = slots.reduce((sum, slot) => sum + slot.ok + slot.partner_error + slot.refused + slot.platform_error, 0);
  const failed = total - slots.reduce((sum, { ok }) => sum + ok, 0);
  if (total === 0) return 'Percent of all requests';
  const allowed = (total * (100 - successTarget)) / 100;
  const left = Math.round((100 * (allowed - failed)) / Math.max(allowed, 1));
  return left >= 0
    ? `Error budget left: ${String(Math.min(100, left))} %`
    : `Error budget spent ${(failed / Math.max(allowed, 1)).toFixed(1)} times`;
}

const percentiles = [
  { name: 'p50', title: 'p50' },
  { name: 'p95', title: 'p95' },
  { name: 'p99', title: 'p99' },
];

/** Durations of requests. */
export function LatencyChart({ query = {} }: Whose) {
  const result = useRecord<LatencyFigures>('/figures/latency', ranged(query));
  return (
    <SlotChart
      title="Latency"
      unit="Milliseconds, percentiles within 5 %"
      result={result}
      series={percentiles}
      valuesOf={({ p50 = null, p95 = null, p99 = null }) => ({ p50, p95, p99 })}
      valueText={msText}
      filter={query}
      emptyWords="No requests in this range"
      draw={(drawn) => <Lines {...drawn} />}
    />
  );
}

const shares = [
  { name: 'platform', title: 'Pierhead' },
  { name: 'host_app', title: 'Host app' },
  { name: 'miniapp', title: 'Miniapp' },
];

/** Which party's share of the time a request spent. */
export function LatencyShareChart({ query = {} }: Whose) {
  const result = useRecord<LatencyFigures>('/figures/latency', ranged(query));
  return (
    <SlotChart
      title="Where the time goes"
      unit="Mean milliseconds of a request, by who took them"
      result={result}
      series={shares}
      valuesOf={({ platform = null, host_app = null, miniapp = null }) => ({ platform, host_app, miniapp })}
      valueText={msText}
      filter={query}
      emptyWords="No requests in this range"
      draw={(drawn) => <StackedColumns {...drawn} />}
    />
  );
}

const causes = [
  { name: 'basic', title: 'Basic' },
  { name: 'signature', title: 'Signature' },
  { name: 'address', title: 'IP address' },
  { name: 'feature', title: 'Feature off' },
  { name: 'other', title: 'Other', color: outcomeColors.quiet },
];

/** Refusals by reason. */
export function RefusalsChart({ query = {} }: Whose) {
  const result = useRecord<Slotted<RefusalSlot>>('/figures/refusals', ranged(query));
  return (
    <SlotChart
      title="Refusals by cause"
      unit="Requests that Pierhead refused"
      result={result}
      series={causes}
      valuesOf={({ at: _at, ...counts }) => ({ ...counts })}
      filter={query}
      emptyWords="Nothing was refused in this range"
      draw={(drawn) => <StackedColumns {...drawn} />}
    />
  );
}
