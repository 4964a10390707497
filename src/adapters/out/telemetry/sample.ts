import type { MetricName } from './metric-catalogue';

/** One series: the label values in the order of the catalogue, and its value; for a histogram the values of `Durations`. */
export interface Series {
  readonly labels: readonly string[];
  readonly values: readonly number[];
  /** The process of the series, if several serve. */
  readonly worker?: string;
}

/** One metric at one moment. */
export interface Sample {
  readonly name: MetricName;
  readonly series: readonly Series[];
}

/** A metric with one number for each value of its labels. */
export const sampleOf = (name: MetricName, ...series: readonly (readonly [number, ...string[]])[]): Sample => ({
  name,
  series: series.map(([value, ...labels]) => ({ labels, values: [value] })),
});

/** A source of samples. Never rejects: it omits samples that are not available now. */
export type SampleSource = () => readonly Sample[] | Promise<readonly Sample[]>;

/** All samples that are available now. */
export async function samplesOf(sources: readonly SampleSource[]): Promise<readonly Sample[]> {
  return (await Promise.all(sources.map(async (source) => source()))).flat();
}
