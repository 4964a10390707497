import type { Context } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, Span, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Log } from '../../../domain/shared/ports';

interface Deps {
  readonly log: Log;
  /** The maximum number of spans that wait or are being sent. */
  readonly maxSpans: number;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** The minimum time between two log lines about lost spans, in milliseconds. */
const logEveryMs = 60_000;

/**
 * Counts the spans that wait or are being sent, and drops those beyond the maximum: whatever the collector does, memory is limited and no
 * call waits. The log line `traces.lost` reports lost spans, at most once a minute.
 */
export class BoundedSpans {
  private held = 0;
  private lost = 0;
  private lastLoggedAt = -Infinity;

  constructor(private readonly deps: Deps) {}

  /** The span processor in front of the queue. */
  before(queue: SpanProcessor): SpanProcessor {
    return {
      onStart: (span: Span, parent: Context) => queue.onStart(span, parent),
      onEnd: (span: ReadableSpan) => {
        if (this.held >= this.deps.maxSpans) {
          this.lose(1);
          return;
        }
        this.held++;
        queue.onEnd(span);
      },
      forceFlush: () => queue.forceFlush(),
      shutdown: () => queue.shutdown(),
    };
  }

  /** The exporter behind the queue. */
  behind(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans, done) => {
        exporter.export(spans, (result) => {
          this.held -= spans.length;
          if (result.code !== ExportResultCode.SUCCESS) this.lose(spans.length);
          done(result);
        });
      },
      forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
      shutdown: () => exporter.shutdown(),
    };
  }

  /** The number of spans in memory. */
  get waiting(): number {
    return this.held;
  }

  private lose(count: number): void {
    const { log, now } = this.deps;
    this.lost += count;
    if (now() - this.lastLoggedAt < logEveryMs) return;
    this.lastLoggedAt = now();
    log.warn('traces.lost', { count: this.lost });
    this.lost = 0;
  }
}
