import { TraceFlags, type SpanContext } from '@opentelemetry/api';

/** Reads a well-formed `traceparent` of version 00 (W3C Trace Context §3.2). */
export const contextFrom = (traceparent: string): SpanContext => ({
  traceId: traceparent.slice(3, 35),
  spanId: traceparent.slice(36, 52),
  traceFlags: Number.parseInt(traceparent.slice(53, 55), 16) & TraceFlags.SAMPLED,
});

/** A span's own `traceparent`, of version 00. */
export const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${String(traceFlags & TraceFlags.SAMPLED)}`;
