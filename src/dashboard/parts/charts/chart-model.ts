/** A series of a chart. */
export interface Series {
  readonly name: string;
  readonly title: string;
  /** Of the palette; by its place where absent. */
  readonly color?: string;
}

/** A place on the x axis with one value for each series; `null`: none is known. */
export interface Point {
  /** Milliseconds since the epoch on a time axis, else the words of the bar. */
  readonly at: number | string;
  readonly values: Readonly<Record<string, number | null>>;
}

/** What charts over time are made from. */
export interface TimeChartProps {
  readonly series: readonly Series[];
  readonly points: readonly Point[];
  /** How a value is written: with its unit. */
  readonly valueText?: (value: number) => string;
  /** Its places are whole days of UTC. */
  readonly isByDay?: boolean;
  /** Pixels; 220. */
  readonly height?: number;
  /** A click on a place: leads to the filtered list. `series` where one was hit. */
  readonly onPick?: (at: Point['at'], series?: string) => void;
  /** Two places between which was drawn: sets the page's range. */
  readonly onZoom?: (from: number, to: number) => void;
}

export const plainText = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 });

/** `950`, `1.2k`, `3.4M`: short enough for an axis. */
export const axisText = (value: number): string => Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value);

/** Points as rows of a table, one column for each series. */
export const tableOf = (
  { series, points, valueText = plainText }: Pick<TimeChartProps, 'series' | 'points' | 'valueText'>,
  atText: (at: Point['at']) => string,
): { heads: readonly string[]; rows: readonly (readonly string[])[] } => ({
  heads: series.map(({ title }) => title),
  rows: points.map(({ at, values }) => [
    atText(at),
    ...series.map(({ name }) => {
      const value = values[name];
      return value === null || value === undefined ? '–' : valueText(value);
    }),
  ]),
});
