import type { Response } from 'express';
import type { PairIds } from '../../../../domain/credentials/admit-call';
import type { InboundRequest } from '../../../../domain/credentials/check';
import { ExchangeTrace, type Relay } from '../../../../domain/exchanges/exchange';
import type { Integration } from '../../../../domain/partners/integration';
import type { Json, JsonObject } from '../../../../domain/shared/json';
import { contextOf } from '../request-context';
import type { ApiRoute, ApiTools } from './api-route';

/** One call under /api/v1, as its steps fill it. Each member is set by the step that is named after it, and read only by steps after that one. */
export class ApiCall {
  readonly trace = new ExchangeTrace();
  /** By `readRequest`. */
  request!: InboundRequest;
  /** By `readInput`: what ids and fields are read from. */
  members!: JsonObject;
  /** By `readInput`: the body as it was sent. */
  body!: Json;
  /** By `readInput`. */
  ids!: PairIds;
  /** By `authenticate`. */
  relay!: Relay;
  /** By `authenticate`. */
  integration!: Integration;
  /** By `readFields`. */
  facts!: object;

  /** Appends the exchange record of a call that has ended `ms` after it came, and keeps a request whose signature was refused for the explainer. */
  record(
    { call }: ApiRoute,
    { exchanges, keepRefused, ids }: ApiTools,
    { res, ms }: { readonly res: Response; readonly ms: number },
  ): void {
    const context = contextOf(res);
    const { requestId, at, clientId, appId, ending } = context;
    const about = { id: ids.next(), requestId, call, clientId, appId, at, ms };
    context.exchangeId = about.id;
    exchanges.append(this.trace.record(about, ending ?? { status: res.statusCode }));
    const partner = this.trace.signatureRefusedBy;
    if (partner) void keepRefused.execute({ exchangeId: about.id, partner, request: this.request, receivedAt: at });
  }
}

/** Puts the call where `callOf` finds it. */
export function openCall(res: Response, call: ApiCall): ApiCall {
  res.locals['call'] = call;
  return call;
}

/** The call that the first step of its route has opened. */
export const callOf = (res: Response): ApiCall => res.locals['call'] as ApiCall;
