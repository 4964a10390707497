import type { Point } from './chart-model';

export const axisTick = { fill: 'var(--chart-text)', fontSize: 11 };

/** The style of the x axis of every chart. Words may be closer together than times, so that as many as possible fit. */
export const xAxisStyle = ([first]: readonly Point[]) => ({
  ...{ dataKey: 'at', tickLine: false, axisLine: { stroke: 'var(--chart-grid)' }, tick: axisTick },
  ...(typeof first?.at === 'string' ? ({ minTickGap: 4, interval: 'equidistantPreserveStart' } as const) : { minTickGap: 40 }),
});

/** The style of the y axis of every chart. All five numbers are shown, as charts are high enough. */
export const yAxisStyle = { tickLine: false, axisLine: false, tick: axisTick, interval: 0 };

/** The label above the end of a level line, readable even where a line of the chart crosses it. */
export const levelLabel = (value: string) => ({
  ...{ value, position: 'insideBottomRight' as const, fill: 'var(--chart-text)', fontSize: 11 },
  ...{ stroke: 'var(--mantine-color-body)', strokeWidth: 3, style: { paintOrder: 'stroke' } },
});
