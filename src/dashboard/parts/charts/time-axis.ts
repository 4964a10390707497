import type { Zone } from '../time-words';
import { dayWords, minuteWords } from '../time-words';
import { plainText, type Point, type Series } from './chart-model';

/** A row in the chart library's format: the values beside the x value. */
export type PlotRow = Readonly<Record<string, number | string | null>> & { readonly at: number | string };

export const rowsOf = (points: readonly Point[]): PlotRow[] => points.map(({ at, values }) => ({ ...values, at }));

/** The label of a point on the x axis. */
export const axisLabel = (at: number | string, zone: Zone, isByDay = false): string =>
  typeof at === 'string' ? at : isByDay ? dayWords(at) : minuteWords(at, zone, Date.now());

/** The values of the point at an x value; the chart library passes a copy. */
export const valuesAt = (points: readonly Point[], at: unknown): Point['values'] => points.find((point) => point.at === at)?.values ?? {};

/** A sentence for screen readers. */
export function chartWords(series: readonly Series[], points: readonly Point[], valueText = plainText): string {
  const total = (name: string): number => points.reduce((sum, { values }) => sum + (values[name] ?? 0), 0);
  return series.map(({ name, title }) => `${title}: ${valueText(total(name))} in all`).join(', ');
}
