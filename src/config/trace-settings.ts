import { choice, origin, ratio, type Source } from './readers';

/** Where traces are sent, and how many. */
export interface TraceSettings {
  /** The complete URL to POST traces to. */
  readonly url: string;
  readonly protocol: 'http/protobuf' | 'http/json';
  readonly sampler: (typeof samplers)[number];
  /** Share of the traces that begin here and are sent, 0 to 1. */
  readonly ratio: number;
  /** Whether traces continue those of callers; else each call begins its own. */
  readonly joins: boolean;
}

const samplers = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

/** Follows OpenTelemetry's specification of environment variables. Returns `undefined` when nothing is traced. */
export function traceSettings(from: Source): TraceSettings | undefined {
  const endpoint = origin(from, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  const url = origin(from, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? (endpoint && `${endpoint}/v1/traces`);
  const settings = {
    protocol: choice(from, 'OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf', 'http/json'], 'http/protobuf'),
    sampler: choice(from, 'OTEL_TRACES_SAMPLER', samplers, 'parentbased_always_on'),
    ratio: ratio(from, 'OTEL_TRACES_SAMPLER_ARG', 1),
    joins: choice(from, 'TRACE_CONTEXT', ['link', 'join'], 'link') === 'join',
  };
  const disabled = choice(from, 'OTEL_SDK_DISABLED', ['true', 'false'], 'false') === 'true';
  return url === undefined || disabled ? undefined : { url, ...settings };
}
