/** A series of a chart. */
export interface Series {
  readonly name: string;
  readonly title: string;
  /** A colour of the palette. When absent, it is chosen by index. */
  readonly color?: string;
}

/** A point on the x axis with one value per series; `null` when it is unknown. */
export interface Point {
  /** Milliseconds since the epoch on a time axis, else the bar's label. */
  readonly at: number | string;
  readonly values: Readonly<Record<string, number | null>>;
}

/** Props of charts over time. */
export interface TimeChartProps {
  readonly series: readonly Series[];
  readonly points: readonly Point[];
  /** Formats a value with its unit. */
  readonly valueText?: (value: number) => string;
  /** Set when the points are UTC days. */
  readonly isByDay?: boolean;
  /** Height in pixels; 220 by default. */
  readonly height?: number;
  /** Called on a click on a point, to open the filtered list. `series` is set where one was hit. */
  readonly onPick?: (at: Point['at'], series?: string) => void;
  /** Called with the two ends of a drag, to set the page's range. */
  readonly onZoom?: (from: number, to: number) => void;
}

export const plainText = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 });

/** `950`, `1.2k`, `3.4M`: short enough for an axis. */
export const axisText = (value: number): string => Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value);

/** Points as rows of a table with one column per series. */
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
