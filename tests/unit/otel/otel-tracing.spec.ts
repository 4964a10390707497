import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { AlwaysOffSampler, InMemorySpanExporter, SimpleSpanProcessor, TracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { OtelTracing } from '../../../src/adapters/out/otel/otel-tracing';
import { traceIdIn, type InboundCall, type OutboundCall } from '../../../src/domain/exchanges/tracing';

const theirs = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const theirTrace = '0af7651916cd43dd8448eb211c80319c';
const notSampled = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';

/** A tracing, and its spans, by name. */
function aTracing({ joins = false, off = false }: { joins?: boolean; off?: boolean } = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
    ...(off && { sampler: new AlwaysOffSampler() }),
  });
  const tracing = new OtelTracing({ tracer: provider.getTracer('test'), publicBaseUrl: 'https://platform.example/base', joins });
  return { tracing, spans: () => exporter.getFinishedSpans() };
}

const inbound = (more: Partial<InboundCall> = {}): InboundCall => ({ method: 'POST', route: '/api/v1/connect', requestId: 'r1', ...more });
const outbound = (more: Partial<OutboundCall> = {}): OutboundCall => ({
  leg: { side: 'miniapp', step: 'webhook' },
  method: 'POST',
  url: 'https://user:CANARY-pass@mini.example:8443/hook?key=CANARY-query#CANARY-fragment',
  attempt: 1,
  requestId: 'r1',
  clientId: 'host_1',
  appId: 'app_1',
  ...more,
});
const linksOf = ({ links }: ReadableSpan) => links.map(({ context: { traceId, spanId } }) => [traceId, spanId]);

describe('the span of an inbound call', () => {
  it('is a server span with the names of the conventions', () => {
    const { tracing, spans } = aTracing();
    tracing.call(inbound()).end({ status: 200, clientId: 'host_1', appId: 'app_1', exchangeId: 'ex_1' });
    const [span] = spans();
    expect([span?.name, span?.kind, span?.status.code]).toEqual(['POST /api/v1/connect', SpanKind.SERVER, SpanStatusCode.UNSET]);
    expect(span?.attributes).toEqual({
      'url.scheme': 'https',
      'server.address': 'platform.example',
      'server.port': 443,
      'http.request.method': 'POST',
      'http.route': '/api/v1/connect',
      'http.response.status_code': 200,
      'pierhead.request_id': 'r1',
      'pierhead.client_id': 'host_1',
      'pierhead.app_id': 'app_1',
      'pierhead.exchange_id': 'ex_1',
    });
  });

  it.each([
    ['a refusal, which is no error of the server', { status: 401, errorCode: 'ACCESS_DENIED' }, 'ACCESS_DENIED', SpanStatusCode.UNSET],
    ['a fault', { status: 500, errorCode: 'UNKNOWN_ERROR' }, 'UNKNOWN_ERROR', SpanStatusCode.ERROR],
    ['a code of the partner’s own', { status: 400, errorCode: 'MIA_BERG_IS_BROKE' }, '_OTHER', SpanStatusCode.UNSET],
    ['a caller who left', {}, 'aborted', SpanStatusCode.ERROR],
  ])('tells of %s', (_what, end, type, status) => {
    const { tracing, spans } = aTracing();
    tracing.call(inbound()).end(end);
    const [span] = spans();
    expect([span?.attributes['error.type'], span?.status.code]).toEqual([type, status]);
    expect(JSON.stringify(span?.attributes)).not.toContain('MIA');
  });

  it('begins a new trace with a link to the caller’s', () => {
    const { tracing, spans } = aTracing();
    const call = tracing.call(inbound({ traceparent: theirs }));
    call.end({ status: 200 });
    const [span] = spans();
    expect(span?.parentSpanContext).toBeUndefined();
    expect(span?.spanContext().traceId).not.toBe(theirTrace);
    expect(span && linksOf(span)).toEqual([[theirTrace, 'b7ad6b7169203331']]);
    expect(call.traceparent).toBe(`00-${String(span?.spanContext().traceId)}-${String(span?.spanContext().spanId)}-01`);
    expect(traceIdIn(call.traceparent)).toBe(span?.spanContext().traceId);
  });

  it('continues the caller’s trace if joining is enabled', () => {
    const { tracing, spans } = aTracing({ joins: true });
    tracing.call(inbound({ traceparent: theirs })).end({ status: 200 });
    const [span] = spans();
    expect([span?.spanContext().traceId, span?.parentSpanContext?.spanId]).toEqual([theirTrace, 'b7ad6b7169203331']);
    expect(span?.links).toEqual([]);
  });

  it('follows the caller’s sampling decision if joining is enabled', () => {
    const { tracing, spans } = aTracing({ joins: true });
    const call = tracing.call(inbound({ traceparent: notSampled }));
    call.end({ status: 200 });
    expect([spans().length, traceIdIn(call.traceparent)]).toEqual([0, undefined]);
  });

  it('gives the log no trace id that leads nowhere', () => {
    const { tracing, spans } = aTracing({ off: true });
    const call = tracing.call(inbound());
    expect([traceIdIn(call.traceparent), call.traceparent.slice(-3)]).toEqual([undefined, '-00']);
    tracing.leg(outbound({ origin: { call: call.traceparent } })).end({ status: 200 });
    call.end({ status: 200 });
    expect(spans()).toEqual([]);
  });
});

describe('the span of a call to a partner', () => {
  it('is a client span without query, credentials or fragment', () => {
    const { tracing, spans } = aTracing();
    tracing.leg(outbound({ attempt: 2 })).end({ status: 200 });
    const [span] = spans();
    expect([span?.name, span?.kind, span?.status.code]).toEqual(['POST miniapp webhook', SpanKind.CLIENT, SpanStatusCode.UNSET]);
    expect(span?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.request.resend_count': 1,
      'http.response.status_code': 200,
      'url.full': 'https://mini.example:8443/hook',
      'server.address': 'mini.example',
      'server.port': 8443,
      'pierhead.side': 'miniapp',
      'pierhead.step': 'webhook',
      'pierhead.attempt': 2,
      'pierhead.request_id': 'r1',
      'pierhead.client_id': 'host_1',
      'pierhead.app_id': 'app_1',
    });
  });

  it('is a child of the call that it is made for', () => {
    const { tracing, spans } = aTracing();
    const call = tracing.call(inbound());
    tracing.leg(outbound({ origin: { call: call.traceparent } })).end({ status: 200 });
    call.end({ status: 200 });
    const [leg, server] = spans();
    expect(leg?.parentSpanContext?.spanId).toBe(server?.spanContext().spanId);
    expect(leg?.spanContext().traceId).toBe(server?.spanContext().traceId);
  });

  it('begins a new trace for a delivery attempt, with a link to the call that caused it', () => {
    const { tracing, spans } = aTracing();
    tracing.leg(outbound({ origin: { delivery: { id: 'dlv_1', attempt: 4, causedBy: theirs } } })).end({ status: 200 });
    const [span] = spans();
    expect([span?.parentSpanContext, span && linksOf(span)]).toEqual([undefined, [[theirTrace, 'b7ad6b7169203331']]]);
    expect(span?.attributes).toMatchObject({ 'pierhead.delivery_id': 'dlv_1', 'pierhead.attempt': 4 });
  });

  it.each([[undefined], [notSampled]])('has no link that leads nowhere: %s', (causedBy) => {
    const { tracing, spans } = aTracing();
    tracing.leg(outbound({ origin: { delivery: { id: 'dlv_1', attempt: 1, causedBy } } })).end({ status: 200 });
    expect(spans().map(linksOf)).toEqual([[]]);
  });

  it.each([
    ['in a word of ours', { errorCode: 'UNEXPECTED_RESPONSE_ERROR', cause: 'timeout' }, 'timeout'],
    ['by a code of ours', { status: 200, errorCode: 'ORDER_NOT_FOUND' }, 'ORDER_NOT_FOUND'],
    ['without a code of the partner’s own', { status: 400, errorCode: 'MIA_BERG_IS_BROKE' }, '_OTHER'],
    ['by its status', { status: 503 }, '503'],
  ])('says why it failed %s', (_how, end, type) => {
    const { tracing, spans } = aTracing();
    tracing.leg(outbound()).end(end);
    const [span] = spans();
    expect([span?.attributes['error.type'], span?.status]).toEqual([type, { code: SpanStatusCode.ERROR }]);
  });

  it('is sent to the partner only if joining is enabled', () => {
    expect(aTracing().tracing.leg(outbound()).sent).toBeUndefined();
    const { tracing, spans } = aTracing({ joins: true });
    const leg = tracing.leg(outbound());
    leg.end({ status: 200 });
    const [span] = spans();
    expect(leg.sent).toBe(`00-${String(span?.spanContext().traceId)}-${String(span?.spanContext().spanId)}-01`);
  });
});

describe('the span of a poll of our own', () => {
  const attributes = {
    'pierhead.request_id': 'r1',
    'pierhead.client_id': 'host_1',
    'pierhead.app_id': 'app_1',
    'pierhead.exchange_id': 'ex_1',
  };
  const end = { status: 200, clientId: 'host_1', appId: 'app_1', exchangeId: 'ex_1' };

  it('begins a trace with the request to the partner under it', () => {
    const { tracing, spans } = aTracing();
    const poll = tracing.poll({ name: 'reconcile', requestId: 'r1' });
    tracing.leg(outbound({ origin: { call: poll.traceparent } })).end({ status: 200 });
    poll.end(end);
    const [leg, span] = spans();
    expect([span?.name, span?.kind, span?.parentSpanContext, span?.status.code]).toEqual([
      ...['reconcile', SpanKind.INTERNAL, undefined, SpanStatusCode.UNSET],
    ]);
    expect(span?.attributes).toEqual(attributes);
    expect(leg?.parentSpanContext?.spanId).toBe(span?.spanContext().spanId);
  });

  it('tells why nothing was found out', () => {
    const { tracing, spans } = aTracing();
    tracing.poll({ name: 'reconcile', requestId: 'r1' }).end({ ...end, status: 400, errorCode: 'UNEXPECTED_RESPONSE_ERROR' });
    const [span] = spans();
    expect([span?.status.code, span?.attributes]).toEqual([
      SpanStatusCode.ERROR,
      { ...attributes, 'error.type': 'UNEXPECTED_RESPONSE_ERROR' },
    ]);
  });
});
