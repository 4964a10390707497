import type { Response } from 'express';
import type { PairIds } from '../../../../domain/credentials/admit-call';
import type { InboundRequest } from '../../../../domain/credentials/check';
import { ExchangeTrace, type Relay } from '../../../../domain/exchanges/exchange';
import type { Integration } from '../../../../domain/partners/integrations/integration';
import type { Json, JsonObject } from '../../../../domain/shared/json';
import { contextOf } from '../request-context';
import type { ApiRoute, ApiTools } from './api-route';

/** The state of one call under /api/v1. Each step sets the members that name it, and only later steps read them. */
export class ApiCall {
  readonly trace = new ExchangeTrace();
  /** Set by `readRequest`. */
  request!: InboundRequest;
  /** Set by `readInput`: the object from which ids and fields are read. */
  members!: JsonObject;
  /** Set by `readInput`: the body as it was sent. */
  body!: Json;
  /** Set by `readInput`. */
  ids!: PairIds;
  /** Set by `authenticate`. */
  relay!: Relay;
  /** Set by `authenticate`. */
  integration!: Integration;
  /** Set by `readFields`. */
  fields!: object;

  /**
   * Appends the exchange record of a call that took `ms` milliseconds, and keeps a request with a refused signature so that it can be
   * explained later.
   */
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

/** Stores the call on the response, where `callOf` reads it. */
export function openCall(res: Response, call: ApiCall): ApiCall {
  res.locals['call'] = call;
  return call;
}

/** The call that `openCall` stored. */
export const callOf = (res: Response): ApiCall => res.locals['call'] as ApiCall;
