import { ApiCalls, type ApiSettings, type CallOptions } from './api-calls';
import type {
  AcceptedTransaction,
  AuthorizedTokens,
  EventToSend,
  JsonMembers,
  JsonValue,
  OpenedPayment,
  OrderDetails,
  PaymentResult,
  Transaction,
} from './bodies';

export interface MiniappApiSettings extends ApiSettings {
  readonly appId: string;
  /** The Secret key; only `transactions` sends it. */
  readonly secretKey: string;
}

/**
 * A miniapp's calls to the platform, each for one host app. Those that change data carry an Idempotency-Key. Orders and events are
 * authenticated by the signature, or by your address on your allowlist.
 */
export class MiniappCalls extends ApiCalls {
  constructor(private readonly own: MiniappApiSettings) {
    super(own);
  }

  /** Creates a payment. Use the order's own id as `idempotencyKey`, so that retries create it only once. */
  createOrderPayment(clientId: string, order: OrderDetails, options?: CallOptions): Promise<OpenedPayment> {
    return this.post('/api/v1/orders/create-order-payment/', clientId, { order }, options);
  }

  /** The payment's status at the host app. Reading it settles nothing. */
  paymentStatus(clientId: string, orderPaymentId: string, options?: CallOptions): Promise<PaymentResult> {
    return this.post('/api/v1/orders/get-payment-status/', clientId, { order_payment_id: orderPaymentId }, options);
  }

  /** Sends an event to a host app. Resolves to its answer, or to `{event_id}` where events are durable. */
  sendEvent(clientId: string, event: EventToSend, options?: CallOptions): Promise<JsonValue> {
    return this.post('/api/v1/events/miniapp/', clientId, event, options);
  }

  /** Exchanges the auth code that a host app gave to your page, when the page does not do so itself. */
  authorize(clientId: string, authCode: string, userReference?: string, options?: CallOptions): Promise<AuthorizedTokens> {
    const body = { client_id: clientId, app_id: this.own.appId, auth_code: authCode, user_reference: userReference };
    return this.call({ method: 'POST', path: '/api/v1/authorize/', body, signature: null }, options);
  }

  /** Reports up to 500 sales; either all are accepted or none. */
  async transactions(clientId: string, records: readonly Transaction[], options?: CallOptions): Promise<readonly AcceptedTransaction[]> {
    const { appId: id, secretKey: secret } = this.own;
    const headers = { 'X-Hostapp-Client-Id': clientId, 'X-Miniapp-App-Id': id };
    const call = {
      method: 'POST',
      path: '/api/v1/analytics/miniapp-transactions/',
      body: records,
      basic: { id, secret },
      headers,
    } as const;
    const { results } = await this.call<{ results: readonly AcceptedTransaction[] }>(call, options);
    return results;
  }

  /** Reports a page view without a secret; limited per minute. */
  track(clientId: string, mark: JsonMembers, options?: CallOptions): Promise<JsonMembers> {
    const body = { client_id: clientId, app_id: this.own.appId, ...mark };
    return this.call({ method: 'POST', path: '/api/v1/analytics/track/', body, signature: null }, options);
  }

  private post<Answer>(path: string, clientId: string, body: object, options?: CallOptions): Promise<Answer> {
    return this.call({ method: 'POST', path, body: { client_id: clientId, app_id: this.own.appId, ...body } }, options);
  }
}
