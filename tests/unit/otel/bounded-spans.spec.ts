import { ExportResultCode } from '@opentelemetry/core';
import { BatchSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';
import { BoundedSpans } from '../../../src/adapters/out/otel/bounded-spans';
import { CollectingLog } from '../../support/collecting-log';

type Done = Parameters<SpanExporter['export']>[1];

/** A collector that answers when the test says so. */
class ScriptedExporter implements SpanExporter {
  readonly batches: number[] = [];
  private readonly waiting: Done[] = [];

  export(spans: { readonly length: number }, done: Done): void {
    this.batches.push(spans.length);
    this.waiting.push(done);
  }

  /** Answers the exports so far. */
  answer(code: ExportResultCode): void {
    for (const done of this.waiting.splice(0)) done({ code });
  }

  async shutdown(): Promise<void> {
    this.answer(ExportResultCode.FAILED);
  }
}

const opened: { readonly exporter: ScriptedExporter; readonly provider: TracerProvider }[] = [];
afterEach(async () => {
  for (const { exporter, provider } of opened.splice(0)) {
    const stopped = provider.shutdown().catch(() => undefined);
    await new Promise(setImmediate);
    exporter.answer(ExportResultCode.SUCCESS);
    await stopped;
  }
});

function aQueue(maxSpans: number) {
  const log = new CollectingLog();
  const exporter = new ScriptedExporter();
  let now = 0;
  const spans = new BoundedSpans({ log, maxSpans, now: () => now });
  const queue = new BatchSpanProcessor({ exporter: spans.behind(exporter), maxQueueSize: maxSpans, maxExportBatchSize: 10 });
  const provider = new TracerProvider({ spanProcessors: [spans.before(queue)] });
  opened.push({ exporter, provider });
  const end = (count: number): void => {
    for (let i = 0; i < count; i++) provider.getTracer('test').startSpan('a').end();
  };
  return { log, exporter, spans, end, provider, pass: (ms: number) => void (now += ms) };
}

describe('spans that wait', () => {
  it('never exceed the limit while the collector hangs, including those being sent', () => {
    const { exporter, spans, end, log } = aQueue(40);
    end(1000);
    expect(spans.waiting).toBe(40);
    expect(exporter.batches).toEqual([10]);
    expect(log.of('traces.lost')).toEqual([{ count: 1 }]);
  });

  it('have room again when the collector has answered, well or not', async () => {
    const { exporter, spans, end } = aQueue(40);
    end(40);
    exporter.answer(ExportResultCode.SUCCESS);
    expect(spans.waiting).toBe(30);
    await new Promise(setImmediate);
    exporter.answer(ExportResultCode.FAILED);
    expect([spans.waiting, exporter.batches]).toEqual([20, [10, 10]]);
    end(100);
    expect(spans.waiting).toBe(40);
  });

  it('are logged once a minute if they are lost', () => {
    const { log, end, pass } = aQueue(40);
    end(50);
    pass(59_000);
    end(5);
    expect(log.of('traces.lost')).toEqual([{ count: 1 }]);
    pass(1000);
    end(1);
    expect(log.of('traces.lost')).toEqual([{ count: 1 }, { count: 15 }]);
  });

  it('leave before a stop', async () => {
    const { exporter, end, provider, spans } = aQueue(40);
    end(3);
    const stopped = provider.shutdown();
    await new Promise(setImmediate);
    expect(exporter.batches).toEqual([3]);
    exporter.answer(ExportResultCode.SUCCESS);
    await stopped;
    expect(spans.waiting).toBe(0);
  });
});
