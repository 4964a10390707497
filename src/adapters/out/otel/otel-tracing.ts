import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import type {
  CallSpan,
  InboundCall,
  InboundEnd,
  LegSpan,
  OutboundCall,
  OutboundEnd,
  OwnPoll,
  Tracing,
} from '../../../domain/exchanges/tracing';
import { catalogue } from '../../../domain/shared/error-catalogue';
import { contextFrom, traceparentOf } from './trace-context';

interface Deps {
  readonly tracer: Tracer;
  /** The URL that partners use to call the service. */
  readonly publicBaseUrl: string;
  /** True: traces continue a caller's trace. False: each call has its own trace with a link to the caller's. */
  readonly joins: boolean;
}

/** The parent of a span. */
interface SpanParent {
  readonly within: Context;
  readonly links: Link[];
}

/**
 * Records calls as spans, named and described by OpenTelemetry's conventions for HTTP (semantic conventions 1.x, HTTP spans). The service's
 * own attributes begin with `pierhead.`. The code that begins a span passes its parent, so there is no other per-call state.
 */
export class OtelTracing implements Tracing {
  private readonly server: Attributes;

  constructor(private readonly deps: Deps) {
    const { protocol, hostname, port } = new URL(deps.publicBaseUrl);
    this.server = { 'url.scheme': schemeOf(protocol), 'server.address': hostname, 'server.port': portOf(protocol, port) };
  }

  call({ method, route, requestId, traceparent }: InboundCall): CallSpan {
    const { within, links } = this.parentOfCall(traceparent);
    const own = { 'http.request.method': method, 'http.route': route, 'pierhead.request_id': requestId };
    const attributes = { ...this.server, ...own };
    return new OtelCallSpan(this.deps.tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes, links }, within));
  }

  poll({ name, requestId }: OwnPoll): CallSpan {
    const attributes = { 'pierhead.request_id': requestId };
    return new OtelPollSpan(this.deps.tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes }, ROOT_CONTEXT));
  }

  leg({ leg: { side, step }, method, url, attempt, requestId, clientId, appId, origin }: OutboundCall): LegSpan {
    const { within, links } = parentOfLeg(origin);
    const delivery = origin && 'delivery' in origin ? origin.delivery : undefined;
    const attributes: Attributes = {
      ...addressed(url),
      'http.request.method': method,
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
      'pierhead.side': side,
      'pierhead.step': step,
      'pierhead.attempt': delivery?.attempt ?? attempt,
      'pierhead.request_id': requestId,
      'pierhead.client_id': clientId,
      ...(appId !== undefined && { 'pierhead.app_id': appId }),
      ...(delivery && { 'pierhead.delivery_id': delivery.id }),
    };
    const span = this.deps.tracer.startSpan(`${method} ${side} ${step}`, { kind: SpanKind.CLIENT, attributes, links }, within);
    return new OtelLegSpan(span, this.deps.joins ? traceparentOf(span.spanContext()) : undefined);
  }

  private parentOfCall(traceparent: string | undefined): SpanParent {
    if (traceparent === undefined) return root;
    const theirs: SpanContext = { ...contextFrom(traceparent), isRemote: true };
    return this.deps.joins ? { within: trace.setSpanContext(ROOT_CONTEXT, theirs), links: [] } : { ...root, links: [{ context: theirs }] };
  }
}

const root: SpanParent = { within: ROOT_CONTEXT, links: [] };

/** A delivery may end days after its call, so it has its own trace with a link to the call, if that was sampled. */
function parentOfLeg(origin: OutboundCall['origin']): SpanParent {
  if (origin === undefined) return root;
  if ('call' in origin) return { within: trace.setSpanContext(ROOT_CONTEXT, contextFrom(origin.call)), links: [] };
  const { causedBy } = origin.delivery;
  const context = causedBy === undefined ? undefined : contextFrom(causedBy);
  return context && isSampled(context) ? { ...root, links: [{ context }] } : root;
}

class OtelCallSpan implements CallSpan {
  readonly traceparent: string;

  constructor(private readonly span: Span) {
    this.traceparent = traceparentOf(span.spanContext());
  }

  /** A refusal is the caller's error, not the server's. A caller who left counts as an error. */
  end({ status, errorCode, clientId, appId, exchangeId }: InboundEnd): void {
    const { span } = this;
    const error = status === undefined ? 'aborted' : errorCode && knownCode(errorCode);
    if (error !== undefined) span.setAttribute('error.type', error);
    if (status === undefined || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttributes({
      'http.response.status_code': status,
      'pierhead.client_id': clientId,
      'pierhead.app_id': appId,
      'pierhead.exchange_id': exchangeId,
    });
    span.end();
  }
}

class OtelPollSpan implements CallSpan {
  readonly traceparent: string;

  constructor(private readonly span: Span) {
    this.traceparent = traceparentOf(span.spanContext());
  }

  /** Nobody was answered, so there is no status. */
  end({ errorCode, clientId, appId, exchangeId }: InboundEnd): void {
    const { span } = this;
    if (errorCode !== undefined) {
      span.setAttribute('error.type', knownCode(errorCode));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.setAttributes({ 'pierhead.client_id': clientId, 'pierhead.app_id': appId, 'pierhead.exchange_id': exchangeId });
    span.end();
  }
}

class OtelLegSpan implements LegSpan {
  constructor(
    private readonly span: Span,
    readonly sent: string | undefined,
  ) {}

  end({ status, errorCode, cause }: OutboundEnd): void {
    const { span } = this;
    span.setAttributes({ 'http.response.status_code': status });
    const failed = errorCode !== undefined || (status !== undefined && status >= 400);
    if (failed) {
      span.setAttribute('error.type', cause ?? (errorCode === undefined ? String(status) : knownCode(errorCode)));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  }
}

const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;

/** Partners' own codes are free text, so they all become `_OTHER`, the conventions' value for such errors. */
const knownCode = (code: string): string => (Object.hasOwn(catalogue, code) ? code : '_OTHER');

/** The URL of a request without query, fragment and credentials. */
function addressed(url: string): Attributes {
  const { origin, pathname, protocol, hostname, port } = new URL(url);
  return { 'url.full': `${origin}${pathname}`, 'server.address': hostname, 'server.port': portOf(protocol, port) };
}

const schemeOf = (protocol: string): string => protocol.slice(0, -1);
const portOf = (protocol: string, port: string): number => Number(port) || (protocol === 'https:' ? 443 : 80);
