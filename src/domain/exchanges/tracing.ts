import type { PartnerLeg } from '../partners/partner-errors';

/** For what a call to a partner is made: for an inbound call or an ask of our own, by the `traceparent` of its span, or for a delivery. */
export type SpanOrigin = { readonly call: string } | { readonly delivery: TracedDelivery };

/** One attempt at a delivery, as its span tells of it. */
export interface TracedDelivery {
  readonly id: string;
  /** From 1 on, since it was made or asked for again. */
  readonly attempt: number;
  /** The `traceparent` of the span of the call or ask that owed it; absent: it was not traced. */
  readonly owedBy?: string | undefined;
}

/** The span of the call or ask that this is made for; absent: it is not traced, or nobody called. */
export const spanOf = (origin: SpanOrigin | undefined): string | undefined => (origin && 'call' in origin ? origin.call : undefined);

/** The id of a span's trace, for the log; `undefined`: there is none, or it is not sampled, so that its id leads nowhere. */
export const traceIdIn = (traceparent: string | undefined): string | undefined =>
  traceparent?.endsWith('-01') ? traceparent.slice(3, 35) : undefined;

/** What names a call on a line of the log. */
export const namesOf = ({ requestId, origin }: { readonly requestId: string; readonly origin?: SpanOrigin | undefined }) => ({
  request_id: requestId,
  trace_id: traceIdIn(spanOf(origin)),
});

/** An inbound call as it begins. */
export interface InboundCall {
  readonly method: string;
  /** The pattern of its path, whole, such as `/api/v1/connect`: nothing that a caller writes. */
  readonly route: string;
  readonly requestId: string;
  /** What the caller sent, well formed. */
  readonly traceparent?: string | undefined;
}

/** An ask that the service makes of its own accord, as it begins. */
export interface OwnAsk {
  /** As its exchange record names it. */
  readonly name: string;
  readonly requestId: string;
}

/** How an inbound call or an ask of our own ended. */
export interface InboundEnd {
  /** Absent: the caller had left before the answer. */
  readonly status?: number | undefined;
  readonly errorCode?: string | undefined;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
  /** Its record's id, where it left one. */
  readonly exchangeId?: string | undefined;
}

/** The span of an inbound call, or of an ask of our own. */
export interface CallSpan {
  /** Names this span, in the form of W3C Trace Context. */
  readonly traceparent: string;
  end(end: InboundEnd): void;
}

/** One request to a partner as it begins. */
export interface OutboundCall {
  readonly leg: PartnerLeg;
  readonly method: string;
  readonly url: string;
  /** 1, or 2 for the one retry. */
  readonly attempt: number;
  readonly requestId: string;
  readonly clientId: string;
  /** Absent: the call is about no miniapp. */
  readonly appId?: string | undefined;
  /** Absent: it belongs to nothing that is traced. */
  readonly origin?: SpanOrigin | undefined;
}

/** How a request to a partner ended. */
export interface OutboundEnd {
  readonly status?: number | undefined;
  readonly errorCode?: string | undefined;
  /** Why there was no readable answer, in one word of ours. */
  readonly cause?: string | undefined;
}

/** The span of a request to a partner. */
export interface LegSpan {
  /** The `traceparent` that the partner gets in place of the caller's; absent: it gets the caller's, if there is one. */
  readonly sent: string | undefined;
  end(end: OutboundEnd): void;
}

/** Reports calls, in and out, to a tracing back end. Never throws, never waits; reports only ids, codes, routes and addresses. */
export interface Tracing {
  call(call: InboundCall): CallSpan;
  ask(ask: OwnAsk): CallSpan;
  leg(call: OutboundCall): LegSpan;
}
