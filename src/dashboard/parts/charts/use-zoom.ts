import { useState } from 'react';
import type { TimeChartProps } from './chart-model';

interface PlotPoint {
  readonly activeLabel?: string | number | undefined;
}

/** A drag over a chart selects a time range, and a click picks a point. Returns event handlers for the chart library. */
export function useZoom({ onPick, onZoom }: Pick<TimeChartProps, 'onPick' | 'onZoom'>) {
  const [from, setFrom] = useState<number | string>();
  const [to, setTo] = useState<number | string>();
  const end = (): void => {
    if (typeof from === 'number' && typeof to === 'number' && from !== to) onZoom?.(Math.min(from, to), Math.max(from, to));
    else if (from !== undefined) onPick?.(from);
    setFrom(undefined);
    setTo(undefined);
  };
  return {
    drawn: from !== undefined && to !== undefined && from !== to ? ([from, to] as const) : undefined,
    handlers: {
      onMouseDown: ({ activeLabel }: PlotPoint) => {
        setFrom(activeLabel);
        setTo(undefined);
      },
      onMouseMove: ({ activeLabel }: PlotPoint) => {
        if (from !== undefined && onZoom) setTo(activeLabel);
      },
      onMouseUp: end,
      style: { cursor: onPick || onZoom ? 'pointer' : 'default' },
    },
  };
}
