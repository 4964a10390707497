import type { PartnerLeg } from '../partners/partner-errors';

/** The origin of a call to a partner: an inbound call or a poll of our own, by the `traceparent` of its span, or a delivery. */
export type SpanOrigin = { readonly call: string } | { readonly delivery: TracedDelivery };

/** An attempt at a delivery, as described by its span. */
export interface TracedDelivery {
  readonly id: string;
  /** Counts from 1, since the delivery was made or resent. */
  readonly attempt: number;
  /** The `traceparent` of the call or poll that caused the delivery. Absent when it was not traced. */
  readonly causedBy?: string | undefined;
}

/** The `traceparent` of the originating call or poll. `undefined` when it is not traced, or there is none. */
export const spanOf = (origin: SpanOrigin | undefined): string | undefined => (origin && 'call' in origin ? origin.call : undefined);

/** The trace id for the log. `undefined` without a span, or for one that is not sampled, whose trace the back end does not have. */
export const traceIdIn = (traceparent: string | undefined): string | undefined =>
  traceparent?.endsWith('-01') ? traceparent.slice(3, 35) : undefined;

/** Log fields that identify a call. */
export const namesOf = ({ requestId, origin }: { readonly requestId: string; readonly origin?: SpanOrigin | undefined }) => ({
  request_id: requestId,
  trace_id: traceIdIn(spanOf(origin)),
});

/** An inbound call at its beginning. */
export interface InboundCall {
  readonly method: string;
  /** The complete path pattern, such as `/api/v1/connect`; contains nothing that the caller wrote. */
  readonly route: string;
  readonly requestId: string;
  /** The caller's header, if it is well formed. */
  readonly traceparent?: string | undefined;
}

/** A poll by the service itself, at its beginning. */
export interface OwnPoll {
  /** The name in its exchange record. */
  readonly name: string;
  readonly requestId: string;
}

/** The end of an inbound call or of a poll of our own. */
export interface InboundEnd {
  /** Absent when the caller disconnected before the answer. */
  readonly status?: number | undefined;
  readonly errorCode?: string | undefined;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
  /** The id of its exchange record. Absent when there is none. */
  readonly exchangeId?: string | undefined;
}

/** The span of an inbound call, or of a poll of our own. */
export interface CallSpan {
  /** Identifies this span, in the format of W3C Trace Context. */
  readonly traceparent: string;
  end(end: InboundEnd): void;
}

/** A request to a partner at its beginning. */
export interface OutboundCall {
  readonly leg: PartnerLeg;
  readonly method: string;
  readonly url: string;
  /** 1, or 2 for the one retry. */
  readonly attempt: number;
  readonly requestId: string;
  readonly clientId: string;
  /** Absent when the call concerns no miniapp. */
  readonly appId?: string | undefined;
  /** Absent when the call has no traced origin. */
  readonly origin?: SpanOrigin | undefined;
}

/** The end of a request to a partner. */
export interface OutboundEnd {
  readonly status?: number | undefined;
  readonly errorCode?: string | undefined;
  /** Our keyword for why there was no readable answer. */
  readonly cause?: string | undefined;
}

/** The span of a request to a partner. */
export interface LegSpan {
  /** The `traceparent` sent to the partner instead of the caller's. Absent: the caller's is sent, if there is one. */
  readonly sent: string | undefined;
  end(end: OutboundEnd): void;
}

/** Reports inbound and outbound calls to a tracing back end. Never throws or waits; reports only ids, codes, routes and addresses. */
export interface Tracing {
  call(call: InboundCall): CallSpan;
  poll(poll: OwnPoll): CallSpan;
  leg(call: OutboundCall): LegSpan;
}
