import type { Context } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, Span, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Log } from '../../../domain/shared/ports';

interface Deps {
  readonly log: Log;
  /** Spans that may wait or be on their way. */
  readonly most: number;
  /** A clock that only rises, in milliseconds. */
  readonly now: () => number;
}

/** Between two lines that tell of lost spans, in milliseconds. */
const tellEveryMs = 60_000;

/**
 * Counts the spans that wait and those on their way, and lets no more in than there is room for: whatever the collector does,
 * memory is bounded and nobody waits. The log line `traces.lost` reports lost spans, once a minute.
 */
export class BoundedSpans {
  private held = 0;
  private lost = 0;
  private toldAt = -Infinity;

  constructor(private readonly deps: Deps) {}

  /** Before the queue. */
  before(queue: SpanProcessor): SpanProcessor {
    return {
      onStart: (span: Span, parent: Context) => queue.onStart(span, parent),
      onEnd: (span: ReadableSpan) => {
        if (this.held >= this.deps.most) {
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

  /** Behind the queue. */
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

  /** Spans in memory. */
  get waiting(): number {
    return this.held;
  }

  private lose(count: number): void {
    const { log, now } = this.deps;
    this.lost += count;
    if (now() - this.toldAt < tellEveryMs) return;
    this.toldAt = now();
    log.warn('traces.lost', { count: this.lost });
    this.lost = 0;
  }
}
