import type { Point } from './chart-model';

export const axisTick = { fill: 'var(--chart-text)', fontSize: 11 };

/** How the x axis of every chart looks; words stand nearer to each other than times, so that as many as can be are there. */
export const xLook = ([first]: readonly Point[]) => ({
  ...{ dataKey: 'at', tickLine: false, axisLine: { stroke: 'var(--chart-grid)' }, tick: axisTick },
  ...(typeof first?.at === 'string' ? ({ minTickGap: 4, interval: 'equidistantPreserveStart' } as const) : { minTickGap: 40 }),
});

/** How the y axis of every chart looks; all its five numbers are written, as charts are high enough for them. */
export const yLook = { tickLine: false, axisLine: false, tick: axisTick, interval: 0 };

/** The words at the end of a level line, above it, and readable where a line of the chart goes past. */
export const levelLabel = (value: string) => ({
  ...{ value, position: 'insideBottomRight' as const, fill: 'var(--chart-text)', fontSize: 11 },
  ...{ stroke: 'var(--mantine-color-body)', strokeWidth: 3, style: { paintOrder: 'stroke' } },
});
