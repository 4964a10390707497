import type { MetricName } from './metric-catalogue';

/** One series: the values of the labels in the order of the catalogue, and its value; of a histogram those of `Durations`. */
export interface Series {
  readonly labels: readonly string[];
  readonly values: readonly number[];
  /** Which process it is of, where several serve. */
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

/** Where samples come from. Never rejects: what cannot be had now is left out. */
export type SampleSource = () => readonly Sample[] | Promise<readonly Sample[]>;

/** Everything that can be sampled now. */
export async function samplesOf(sources: readonly SampleSource[]): Promise<readonly Sample[]> {
  return (await Promise.all(sources.map(async (source) => source()))).flat();
}
