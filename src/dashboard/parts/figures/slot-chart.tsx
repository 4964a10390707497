import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Query } from '../../api/manage';
import { ChartCard } from '../charts/chart-card';
import { tableOf, type Point, type Series } from '../charts/chart-model';
import { placeText } from '../charts/time-axis';
import { useZone } from '../use-zone';
import type { Slotted } from './figures';
import { useSlotLinks } from './use-slot-links';

/** What a chart over slots of time draws. */
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
  readonly asked: UseQueryResult<Slotted<Slot>>;
  readonly series: readonly Series[];
  readonly valuesOf: (slot: Slot) => Readonly<Record<string, number | null>>;
  /** Whether there is nothing to draw; a sentence says so. */
  readonly emptyWords: string;
  /** A 0 is worth drawing: it is a share and no count. */
  readonly drawsZero?: boolean;
  /** Whose requests a click leads to. */
  readonly filter?: Query;
  readonly valueText?: (value: number) => string;
  readonly deeds?: ReactNode;
  readonly draw: (drawn: Drawn) => ReactNode;
}

/** A chart over time of figures that the manage API gave, with its table and its ways into the requests. */
export function SlotChart<Slot extends { readonly at: string }>(props: SlotChartProps<Slot>) {
  const { title, unit, asked, series, valuesOf, emptyWords, drawsZero = false, filter, valueText, deeds, draw } = props;
  const [zone] = useZone();
  const links = useSlotLinks(asked.data?.slot_s, filter);
  const points = (asked.data?.data ?? []).map((slot) => ({ at: Date.parse(slot.at), values: valuesOf(slot) }));
  const isEmpty = points.every(({ values }) => Object.values(values).every((value) => value === null || (value === 0 && !drawsZero)));
  const chart = { series, points, ...(valueText && { valueText }) };
  return (
    <ChartCard
      title={title}
      unit={unit}
      table={{ first: 'Time', ...tableOf(chart, (at) => placeText(at, zone)) }}
      isLoading={asked.isPending}
      error={asked.error}
      onRetry={() => void asked.refetch()}
      deeds={deeds}
      {...(isEmpty && { empty: emptyWords })}
    >
      {draw({ ...chart, ...links })}
    </ChartCard>
  );
}
