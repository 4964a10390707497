import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Query } from '../../api/manage';
import { ChartCard } from '../charts/chart-card';
import { tableOf, type Point, type Series } from '../charts/chart-model';
import { axisLabel } from '../charts/time-axis';
import { useZone } from '../use-zone';
import type { Slotted } from './figures';
import { useSlotLinks } from './use-slot-links';

/** The data of a chart over slots of time. */
export interface Drawn {
  readonly series: readonly Series[];
  readonly points: readonly Point[];
  readonly valueText?: (value: number) => string;
  readonly onPick: (at: Point['at']) => void;
  readonly onZoom: (from: number, to: number) => void;
}

interface SlotChartProps<Slot> {
  readonly title: string;
  readonly unit: string;
  readonly result: UseQueryResult<Slotted<Slot>>;
  readonly series: readonly Series[];
  readonly valuesOf: (slot: Slot) => Readonly<Record<string, number | null>>;
  /** Shown when there is no data. */
  readonly emptyWords: string;
  /** Set for shares: unlike a count, a 0 counts as data. */
  readonly drawsZero?: boolean;
  /** Filters of the requests that a click opens. */
  readonly filter?: Query;
  readonly valueText?: (value: number) => string;
  readonly actions?: ReactNode;
  readonly draw: (drawn: Drawn) => ReactNode;
}

/** A chart over time of statistics from the manage API, with its table and its links to the requests. */
export function SlotChart<Slot extends { readonly at: string }>(props: SlotChartProps<Slot>) {
  const { title, unit, result, series, valuesOf, emptyWords, drawsZero = false, filter, valueText, actions, draw } = props;
  const [zone] = useZone();
  const links = useSlotLinks(result.data?.slot_s, filter);
  const points = (result.data?.data ?? []).map((slot) => ({ at: Date.parse(slot.at), values: valuesOf(slot) }));
  const isEmpty = points.every(({ values }) => Object.values(values).every((value) => value === null || (value === 0 && !drawsZero)));
  const chart = { series, points, ...(valueText && { valueText }) };
  return (
    <ChartCard
      title={title}
      unit={unit}
      table={{ first: 'Time', ...tableOf(chart, (at) => axisLabel(at, zone)) }}
      isLoading={result.isPending}
      error={result.error}
      onRetry={() => void result.refetch()}
      actions={actions}
      {...(isEmpty && { empty: emptyWords })}
    >
      {draw({ ...chart, ...links })}
    </ChartCard>
  );
}
