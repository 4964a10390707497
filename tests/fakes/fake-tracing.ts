import type {
  CallSpan,
  InboundCall,
  InboundEnd,
  LegSpan,
  OutboundCall,
  OutboundEnd,
  OwnPoll,
  Tracing,
} from '../../src/domain/exchanges/tracing';

/** Keeps reported calls, and how they ended. */
export class FakeTracing implements Tracing {
  readonly calls: { readonly call: InboundCall | OwnPoll; end?: InboundEnd }[] = [];
  readonly legs: { readonly call: OutboundCall; end?: OutboundEnd }[] = [];

  /** `sent`: what partners are to get as `traceparent`. */
  constructor(private readonly sent?: string) {}

  call(call: InboundCall | OwnPoll): CallSpan {
    const kept: FakeTracing['calls'][number] = { call };
    const number = this.calls.push(kept).toString(16);
    const traceId = number.padStart(32, '0');
    return { traceparent: `00-${traceId}-${number.padStart(16, '0')}-01`, end: (end) => void (kept.end = end) };
  }

  poll(poll: OwnPoll): CallSpan {
    return this.call(poll);
  }

  leg(call: OutboundCall): LegSpan {
    const kept: FakeTracing['legs'][number] = { call };
    this.legs.push(kept);
    return { sent: this.sent, end: (end) => void (kept.end = end) };
  }
}
