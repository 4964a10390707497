import type { Zone } from '../time-words';
import { dayWords, minuteWords } from '../time-words';
import { plainText, type Point, type Series } from './chart-model';

/** A row as the chart library wants it: the values beside the place. */
export type PlotRow = Readonly<Record<string, number | string | null>> & { readonly at: number | string };

export const rowsOf = (points: readonly Point[]): PlotRow[] => points.map(({ at, values }) => ({ ...values, at }));

/** The words of a place on the x axis. */
export const placeText = (at: number | string, zone: Zone, isByDay = false): string =>
  typeof at === 'string' ? at : isByDay ? dayWords(at) : minuteWords(at, zone, Date.now());

/** The values of the point at a place; the chart library hands its own copy. */
export const valuesAt = (points: readonly Point[], at: unknown): Point['values'] => points.find((point) => point.at === at)?.values ?? {};

/** A sentence for those who do not see the chart. */
export function chartWords(series: readonly Series[], points: readonly Point[], valueText = plainText): string {
  const total = (name: string): number => points.reduce((sum, { values }) => sum + (values[name] ?? 0), 0);
  return series.map(({ name, title }) => `${title}: ${valueText(total(name))} in all`).join(', ');
}
