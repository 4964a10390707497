import { useState } from 'react';
import type { TimeChartProps } from './chart-model';

interface PlotPlace {
  readonly activeLabel?: string | number | undefined;
}

/** Drawing over a chart chooses a time; a press without drawing picks a place. Returns what the chart library wants to be given. */
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
      onMouseDown: ({ activeLabel }: PlotPlace) => {
        setFrom(activeLabel);
        setTo(undefined);
      },
      onMouseMove: ({ activeLabel }: PlotPlace) => {
        if (from !== undefined && onZoom) setTo(activeLabel);
      },
      onMouseUp: end,
      style: { cursor: onPick || onZoom ? 'pointer' : 'default' },
    },
  };
}
