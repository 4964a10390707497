import { ApiCalls, type ApiSettings, type CallOptions } from './api-calls';
import type { AgreedSignature } from './agreed-signature';
import type { ConsentGiven, ConsentStatus, EventToSend, JsonMembers, JsonValue, PaymentResult, SessionTokens, UserData } from './bodies';

export interface HostAppApiSettings extends ApiSettings {
  readonly clientId: string;
  /** The Secret key, sent as Basic credentials. Absent when Basic is not used. */
  readonly secretKey?: string;
}

/** A host app's calls to the platform. Those that change data carry an Idempotency-Key. */
export class HostAppCalls extends ApiCalls {
  constructor(private readonly own: HostAppApiSettings) {
    super(own);
  }

  /** Signs a user on to a miniapp. */
  connect(appId: string, user: UserData, options?: CallOptions): Promise<SessionTokens> {
    return this.post('/api/v1/connect/', appId, { user_data: user }, options);
  }

  /** Signs a user on with a payload that `sealPayload` made. A page sends the same call. */
  login(appId: string, payload: string, options?: CallOptions): Promise<SessionTokens> {
    const body = { client_id: this.own.clientId, app_id: appId, payload };
    return this.call({ method: 'POST', path: '/api/v1/partner/login/', body, signature: null }, options);
  }

  /** Reports a payment's result. Repeat the call until it is acknowledged; repeats count once. */
  completeOrder(
    appId: string,
    result: PaymentResult,
    options?: CallOptions,
  ): Promise<Pick<PaymentResult, 'order_payment_id' | 'payment_status'>> {
    return this.post('/api/v1/orders/complete-order/', appId, result, options);
  }

  consent(appId: string, userReference: string, options?: CallOptions): Promise<ConsentStatus> {
    const path = `/api/v1/accounts/consent/get_consent/?${this.pair(appId, { user_reference: userReference })}`;
    return this.call({ method: 'GET', path, signature: null }, options);
  }

  saveConsent(appId: string, consent: ConsentGiven, options?: CallOptions): Promise<ConsentStatus> {
    return this.post('/api/v1/accounts/consent/save_consent/', appId, consent, options);
  }

  revokeConsent(appId: string, userReference: string, options?: CallOptions): Promise<ConsentStatus> {
    return this.post('/api/v1/accounts/consent/revoke/', appId, { user_reference: userReference }, options);
  }

  /** Data that the host page shows of a miniapp, including the consent texts. */
  miniappSettings(appId: string, options?: CallOptions): Promise<JsonMembers> {
    const path = `/api/v1/miniapps/${encodeURIComponent(appId)}/settings/?${new URLSearchParams({ client_id: this.own.clientId }).toString()}`;
    return this.call({ method: 'GET', path, signature: null }, options);
  }

  /**
   * Sends an event to a miniapp. Resolves to its answer, or to `{event_id}` where events are durable. The platform also requires proof for
   * the miniapp's side (contract/events#checks-of-a-host-apps-event): your address on the miniapp's allowlist, or its signature.
   */
  sendEvent(
    appId: string,
    event: EventToSend,
    options: CallOptions & { readonly miniappSignature?: AgreedSignature } = {},
  ): Promise<JsonValue> {
    const { miniappSignature, ...rest } = options;
    return this.post('/api/v1/events/hostapp/', appId, event, rest, miniappSignature);
  }

  private post<Answer>(path: string, appId: string, body: object, options?: CallOptions, signature?: AgreedSignature): Promise<Answer> {
    const { clientId, secretKey } = this.own;
    const basic = secretKey === undefined ? undefined : { id: clientId, secret: secretKey };
    return this.call({ method: 'POST', path, body: { client_id: clientId, app_id: appId, ...body }, basic, signature }, options);
  }

  private pair(appId: string, more: Readonly<Record<string, string>>): string {
    return new URLSearchParams({ client_id: this.own.clientId, app_id: appId, ...more }).toString();
  }
}
