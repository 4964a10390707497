import { setTimeout as pause } from 'node:timers/promises';
import { defaultResource, detectResources, envDetector, resourceFromAttributes, serviceInstanceIdDetector } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { Tracing } from '../../../domain/exchanges/tracing';
import type { Log } from '../../../domain/shared/ports';
import { BoundedSpans } from './bounded-spans';
import { OtelTracing } from './otel-tracing';

/** Samplers by their names in OTEL_TRACES_SAMPLER. The ratio applies to spans without a parent's decision. */
const samplers = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio: number) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio: number) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
} satisfies Record<string, (ratio: number) => Sampler>;

export interface TracingOptions {
  /** The complete URL to post traces to. */
  readonly url: string;
  readonly protocol: 'http/protobuf' | 'http/json';
  readonly sampler: keyof typeof samplers;
  /** From 0 to 1. */
  readonly ratio: number;
  readonly joins: boolean;
  readonly publicBaseUrl: string;
  readonly version: string;
  readonly log: Log;
}

/** Tracing that is on. */
export interface RunningTracing {
  readonly tracing: Tracing;
  /** Sends the waiting spans, for a second at most. */
  close(): Promise<void>;
}

/** The maximum number of spans in memory: four waiting batches, and as many being sent. A span takes one to two kilobytes. */
const maxSpans = 4096;
/** A batch of 512 is sent at once, a smaller one after this time (milliseconds). */
const sendEveryMs = 1000;
/** The time for the last flush, in milliseconds. After the wait for the last answer, 1.5 s remain of the time to stop (`stopWithinMs`). */
const flushWithinMs = 1000;

/**
 * Starts the export to the collector. The libraries read all other settings themselves: OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES, and
 * headers, timeout, compression and certificates of the exporter.
 */
export async function startTracing(options: TracingOptions): Promise<RunningTracing> {
  const { publicBaseUrl, joins, version, log } = options;
  const spans = new BoundedSpans({ log, maxSpans, now: () => performance.now() });
  const exporter = spans.behind(await exporterOf(options));
  const queue = new BatchSpanProcessor({ exporter, maxQueueSize: maxSpans, scheduledDelayMillis: sendEveryMs });
  const own = resourceFromAttributes({ 'service.name': 'pierhead', 'service.version': version });
  const detected = detectResources({ detectors: [serviceInstanceIdDetector, envDetector] });
  const provider = new TracerProvider({
    resource: defaultResource().merge(own).merge(detected),
    sampler: samplers[options.sampler](options.ratio),
    spanLimits: { attributeValueLengthLimit: 1024 },
    spanProcessors: [spans.before(queue)],
  });
  const tracing = new OtelTracing({ tracer: provider.getTracer('pierhead', version), publicBaseUrl, joins });
  return {
    tracing,
    close: async () => {
      // `traces.lost` reports an unavailable collector, which must not delay the stop.
      await Promise.race([provider.shutdown().catch(() => undefined), pause(flushWithinMs, undefined, { ref: false })]);
    },
  };
}

async function exporterOf({ url, protocol }: TracingOptions): Promise<SpanExporter> {
  if (protocol === 'http/json') return new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter({ url });
  return new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter({ url });
}
