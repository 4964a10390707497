/** Colours of series: distinguishable with colour blindness and by brightness. Each has its own pattern or dash. */
export const outcomeColors = {
  ok: 'var(--chart-ok)',
  partner: 'var(--chart-partner)',
  refused: 'var(--chart-refused)',
  platform: 'var(--chart-platform)',
  quiet: 'var(--chart-quiet)',
} as const;

/** Colours for series without a meaning of their own, in order. */
export const seriesColors = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)', 'var(--chart-5)'] as const;

export type Pattern = 'solid' | 'stripes' | 'dots' | 'cross' | 'back';
const patterns: readonly Pattern[] = ['solid', 'stripes', 'dots', 'cross', 'back'];
const dashes = ['0', '6 4', '2 3', '10 4 2 4', '4 2'] as const;

export const colorAt = (i: number, color?: string): string => color ?? seriesColors[i % seriesColors.length]!;
export const patternAt = (i: number): Pattern => patterns[i % patterns.length]!;
export const dashAt = (i: number): string => dashes[i % dashes.length]!;
