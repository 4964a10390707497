import type { Point } from './chart-model';

export const axisTick = { fill: 'var(--chart-text)', fontSize: 11 };

/** How the x axis of every chart looks; words stand nearer to each other than times, so that as many as can be are there. */
export const xLook = ([first]: readonly Point[]) => ({
  ...{ dataKey: 'at', tickLine: false, axisLine: { stroke: 'var(--chart-grid)' }, tick: axisTick },
  ...(typeof first?.at === 'string' ? ({ minTickGap: 8, interval: 'equidistantPreserveStart' } as const) : { minTickGap: 40 }),
});

/** How the y axis of every chart looks. */
export const yLook = { tickLine: false, axisLine: false, tick: axisTick };

/** The words at the end of a level line. */
export const levelLabel = (value: string) => ({ value, position: 'insideTopRight' as const, fill: 'var(--chart-text)', fontSize: 11 });
