import { definitionOf } from './metric-catalogue';
import type { Sample, Series } from './sample';

/** The media type of `exposition`. */
export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

/** Samples in Prometheus' text format, version 0.0.4. */
export const exposition = (samples: readonly Sample[]): string => samples.map((sample) => familyLines(sample).join('\n')).join('\n') + '\n';

function familyLines({ name, series }: Sample): string[] {
  const { type, help, labels: names = [], edgesMs = [] } = definitionOf(name);
  const lines = series.flatMap((one) => {
    const labels = labelsOf(names, one);
    return type === 'histogram' ? histogramLines(name, labels, { edgesMs, values: one.values }) : [line(name, labels, one.values[0] ?? 0)];
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

type Labels = readonly (readonly [string, string])[];

function labelsOf(names: readonly string[], { labels, worker }: Series): Labels {
  const given = names.map((name, i) => [name, labels[i] ?? ''] as const);
  return worker === undefined ? given : [...given, ['worker', worker]];
}

/** Buckets are cumulative; their bounds are in seconds. */
function histogramLines(
  name: string,
  labels: Labels,
  { edgesMs, values }: { edgesMs: readonly number[]; values: readonly number[] },
): string[] {
  let count = 0;
  const buckets = [...edgesMs, Infinity].map((edge, i) => {
    count += values[i] ?? 0;
    return line(`${name}_bucket`, [...labels, ['le', edge === Infinity ? '+Inf' : String(edge / 1000)]], count);
  });
  return [...buckets, line(`${name}_sum`, labels, (values.at(-1) ?? 0) / 1000), line(`${name}_count`, labels, count)];
}

function line(name: string, labels: Labels, value: number): string {
  const inner = labels.map(([label, text]) => `${label}="${escaped(text)}"`).join(',');
  return `${name}${inner && `{${inner}}`} ${String(value)}`;
}

const escaped = (text: string): string => text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
