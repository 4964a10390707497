import { createOrderPayment, readPaymentStatus } from '../../adapters/out/partner-http/payments/host-app-payment-calls';
import { exchangeCode, readUser, refreshTokens } from '../../adapters/out/partner-http/sso/host-app-calls';
import { deliveryCallOf } from '../../adapters/out/partner-http/deliveries/delivery-calls';
import { eventCalls } from '../../adapters/out/partner-http/events/event-calls';
import { getAuthToken } from '../../adapters/out/partner-http/sso/miniapp-calls';
import type { OutboundCredentials } from '../../adapters/out/partner-http/outbound-credentials';
import { readAnswer, readPassedOn } from '../../adapters/out/partner-http/partner-answer';
import type { PartnerCall, PartnerRequest } from '../../adapters/out/partner-http/partner-call';
import { draftOf } from '../../adapters/out/partner-http/partner-call';
import type { CallInput, WebhookCall, CallKind, Draft, Outcome, Requests, Role } from '../../conformance/ports';
import type { DueDelivery } from '../../domain/deliveries/delivery';
import { untraced, type Relay } from '../../domain/exchanges/exchange';
import type { Integration } from '../../domain/partners/integrations/integration';
import { PartnerRefused } from '../../domain/partners/partner-errors';
import { catalogue, type ErrorCode } from '../../domain/shared/error-catalogue';
import { DomainError } from '../../domain/shared/errors';
import { JsonObject } from '../../domain/shared/json';
import type { IdGenerator } from '../../domain/shared/ports';
import { Secret } from '../../domain/shared/secret';

interface Deps {
  readonly role: Role;
  readonly integration: Integration;
  /** The credentials from the settings, and those of an unknown caller. */
  readonly credentials: Readonly<
    Record<'platform' | 'stranger', { readonly proofs: OutboundCredentials; readonly integration: Integration }>
  >;
  readonly ids: IdGenerator;
  /** The time limit for requests that the credentials themselves need, such as a client access token, in milliseconds. */
  readonly deadlineMs: number;
}

/** One call as a request of the partner client. */
interface Bound {
  readonly request: PartnerRequest<unknown>;
  readonly input: unknown;
  readonly userToken?: Secret | undefined;
  readonly problem: (outcome: Outcome) => Promise<unknown>;
}

/** Builds and signs requests and checks answers with the same code as in production. */
export class ConformRequests implements Requests {
  constructor(private readonly deps: Deps) {}

  urlOf(kind: CallKind): string | undefined {
    return this.requestOf(kind).url(this.deps.integration);
  }

  draft(call: CallInput): Promise<Draft> {
    const { request, input, userToken } = this.bind(call);
    return draftOf(request, this.sending(input, userToken), request.url(this.deps.integration) ?? '');
  }

  async prove(call: CallInput, draft: Draft, as: 'platform' | 'stranger'): Promise<Readonly<Record<string, string>>> {
    const { request, input, userToken } = this.bind(call);
    const { proofs, integration } = this.deps.credentials[as];
    const sent = { ...draft, body: draft.body ?? new Uint8Array() };
    return (await proofs.prove(request.leg, { ...this.sending(input, userToken), integration }, sent)).headers;
  }

  async problem(call: CallInput, outcome: Outcome): Promise<string | undefined> {
    try {
      await this.bind(call).problem(outcome);
      return undefined;
    } catch (error) {
      if (error instanceof DomainError) return wordsOf(error);
      throw error;
    }
  }

  private sending(input: unknown, userToken: Secret | undefined) {
    const relay: Relay = { requestId: this.deps.ids.next(), deadline: Date.now() + this.deps.deadlineMs, trace: untraced };
    return { relay, integration: this.deps.integration, input, ...(userToken && { userToken }) };
  }

  private requestOf(kind: CallKind): PartnerRequest<never> {
    const table: Readonly<Record<CallKind, PartnerRequest<never>>> = {
      exchange: exchangeCode,
      refresh: refreshTokens,
      user_data: readUser,
      create: createOrderPayment,
      status: readPaymentStatus,
      miniapp_token: getAuthToken,
      webhook: deliveryCallOf({ kind: 'completion', completion: { ...noCompletion } }),
      event: eventCalls[this.deps.role === 'miniapp' ? 'miniapp' : 'hostapp'],
    };
    return table[kind];
  }

  private bind(call: CallInput): Bound {
    const { id, hostApp, miniapp } = this.deps.integration;
    const pair = { appId: miniapp.id, clientId: hostApp.id };
    switch (call.kind) {
      case 'exchange':
        return bound(exchangeCode, { authCode: new Secret(call.authCode) });
      case 'refresh':
        return bound(refreshTokens, { refreshToken: new Secret(call.refreshToken) });
      case 'user_data':
        return bound(readUser, undefined, call.userToken);
      case 'create': {
        const { order, once, user } = call;
        return bound(createOrderPayment, { ...pair, order, once, integrationId: id, userId: user?.reference }, user?.accessToken);
      }
      case 'status': {
        const { orderPaymentId, user } = call;
        return bound(readPaymentStatus, { ...pair, orderPaymentId, userId: user?.reference }, user?.accessToken);
      }
      case 'miniapp_token':
        return bound(getAuthToken, call.userData);
      case 'webhook':
        return received(deliveryCallOf(deliveryOf(call, pair).content), { delivery: deliveryOf(call, pair), at: Date.now() });
      case 'event': {
        const body = { app_id: pair.appId, client_id: pair.clientId, event_type: call.eventType, payload: call.payload };
        return passedOn(this.requestOf('event') as PartnerRequest<JsonObject>, JsonObject.of(body));
      }
    }
  }
}

function bound<Input, Reply extends object>(call: PartnerCall<Input, Reply>, input: Input, token?: string): Bound {
  const userToken = token === undefined ? undefined : new Secret(token);
  return {
    request: call as PartnerRequest<unknown>,
    input,
    userToken,
    problem: (outcome) => readAnswer(call, outcome, token !== undefined),
  };
}

const passedOn = <Input>(request: PartnerRequest<Input>, input: Input): Bound => ({
  ...{ request: request as PartnerRequest<unknown>, input },
  problem: (outcome) => readPassedOn(request.leg, outcome),
});

/** Any 2xx status counts as received, whatever the body. */
const received = <Input>(request: PartnerRequest<Input>, input: Input): Bound => ({
  ...{ request: request as PartnerRequest<unknown>, input },
  problem: ({ status }) => (status < 200 || status > 299 ? Promise.reject(new NotReceived()) : Promise.resolve()),
});

/** The delivery was not received and would be attempted again. */
class NotReceived extends DomainError {
  constructor() {
    super('partner-garbled', 'UNEXPECTED_RESPONSE_ERROR', 'only 2xx is receipt: this is sent again for seven days');
  }
}

const noCompletion = { clientId: '', appId: '', orderPaymentId: '', word: 'paid', requestId: '', at: 0 } as const;

const deliveryOf = (
  { deliveryId, orderPaymentId, word, failReason, customAttributes }: WebhookCall,
  pair: { readonly appId: string; readonly clientId: string },
): DueDelivery => {
  const completion = { ...noCompletion, ...pair, orderPaymentId, word, failReason, customAttributes };
  const content = { kind: 'completion', completion } as const;
  return { id: deliveryId, integrationId: '', content, ageMs: 0, tries: 0, lease: '', queue: '', reason: 'schedule' };
};

/** The error that the service would return to its caller, with each wrong field. Contains nothing of the partner's answer but its code. */
function wordsOf(error: DomainError): string {
  const { code, message, details } = error;
  const { fields = [], cause } = details;
  const wrong = fields.map(({ path, rule }) => `${path} ${rule}`).join('; ');
  if (wrong !== '') return `${code}: ${wrong}`;
  // Omits the partner's own message, because reports are passed on to others.
  if (error instanceof PartnerRefused) return `${code}: a good call is refused`;
  const known = Object.hasOwn(catalogue, code) ? catalogue[code as ErrorCode].meaning : message;
  const meaning = code === 'UNEXPECTED_RESPONSE_ERROR' ? message : known;
  return cause === undefined ? `${code}: ${meaning}` : `${code} (${cause}): ${meaning}`;
}
