import { choice, origin, ratio, type Source } from './readers';

/** Where traces are sent, and which. */
export interface TraceSettings {
  /** Where they are posted, whole. */
  readonly url: string;
  readonly protocol: 'http/protobuf' | 'http/json';
  readonly sampler: (typeof samplers)[number];
  /** From 0 to 1: of the traces that begin here. */
  readonly ratio: number;
  /** Traces go on from company to company; else each call begins its own. */
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

/** Read by the names and rules of OpenTelemetry's specification of its environment variables. `undefined`: nothing is traced. */
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
