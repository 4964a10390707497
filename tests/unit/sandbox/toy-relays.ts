import { createDecipheriv } from 'node:crypto';
import type { Express, Request, Response } from 'express';
import { basic } from './call';
import type { ToyPierhead } from './toy-pierhead';

export type JsonFields = Record<string, unknown>;

/** The toy's payments, events, analytics and partner/login. */
export function relayRoutes(app: Express, toy: ToyPierhead): void {
  const payments = new Map<string, string>();
  app.post('/api/v1/orders/create-order-payment/', (request, response) => createPayment(toy, request, response, payments));
  app.post('/api/v1/orders/get-payment-status/', (request, response) => paymentStatus(toy, request, response, payments));
  app.post('/api/v1/orders/complete-order/', (request, response) => complete(toy, request, response));
  app.post('/api/v1/events/:sender/', (request, response) => relayEvent(toy, request, response));
  app.post('/api/v1/analytics/miniapp-transactions/', (request, response) => {
    const appId = String(request.get('x-miniapp-app-id'));
    const proven = request.get('authorization') === basic(appId, String(toy.partners.get(appId)?.secret_key));
    if (!proven) return void refuse(response, 'ACCESS_DENIED', 401);
    response.json({ transaction_id: bodyOf(request).transaction_id, status: 'accepted' });
  });
  app.post('/api/v1/partner/login/', (request, response) => login(toy, request, response));
}

async function createPayment(toy: ToyPierhead, request: Request, response: Response, payments: Map<string, string>): Promise<void> {
  const { client_id: clientId, app_id: appId, order } = bodyOf(request) as { client_id: string; app_id: string; order: JsonFields };
  if (!/^\d+(\.\d{1,2})?$/.test(String(order.amount)) && !toy.faults.has('rounds-amounts')) {
    return void refuse(response, 'INVALID_ORDER_DATA');
  }
  const hostApp = toy.partners.get(clientId);
  const send = () => {
    const asUser = { Authorization: `Token ${toy.userTokens.access}`, 'X-User-ID': String(order.hostapp_user_id) };
    const headers = hostApp?.use_access_token === true ? asUser : { Authorization: asPlatform(toy, clientId) };
    return post(request, String(hostApp?.create_order_payment_url), headers, { app_id: appId, order });
  };
  let answer = await send();
  if (answer.error_code === 'EXPIRED_ACCESS_TOKEN' && !toy.faults.has('gives-up-token')) {
    const headers = { Authorization: asPlatform(toy, clientId) };
    const renewed = await post(request, String(hostApp?.refresh_token_url), headers, { refresh_token: toy.userTokens.refresh });
    toy.userTokens = { access: String(renewed.access_token), refresh: String(renewed.refresh_token) };
    answer = await send();
  }
  if (answer.error_code !== undefined) return void refuse(response, String(answer.error_code));
  payments.set(String(answer.order_payment_id), appId);
  response.json(answer);
}

async function paymentStatus(toy: ToyPierhead, request: Request, response: Response, payments: Map<string, string>): Promise<void> {
  const { client_id: clientId, order_payment_id: id } = bodyOf(request) as Record<string, string>;
  const known = payments.has(id!);
  if (!known && !toy.faults.has('asks-for-unknown')) return void refuse(response, 'ORDER_NOT_FOUND');
  const url = String(toy.partners.get(clientId!)?.get_order_payment_status_url);
  const answer = await post(request, url, { Authorization: asPlatform(toy, clientId!) }, bodyOf(request));
  response.status(answer.error_code === undefined ? 200 : 400).json(answer);
}

function complete(toy: ToyPierhead, request: Request, response: Response): void {
  if (toy.faults.has('doubts-completion')) return void refuse(response, 'ORDER_NOT_FOUND');
  const { app_id: appId, order_payment_id: id, payment_status: status } = bodyOf(request) as Record<string, string>;
  response.json({ order_payment_id: id, payment_status: status });
  if (toy.faults.has('forgets-webhook')) return;
  const headers = { Authorization: basic(appId!, String(toy.partners.get(appId!)?.secret_key)), 'webhook-id': String(id) };
  void post(request, String(toy.partners.get(appId!)?.webhook_url), headers, bodyOf(request));
}

async function relayEvent(toy: ToyPierhead, request: Request, response: Response): Promise<void> {
  const { client_id: clientId, app_id: appId, event_type: type } = bodyOf(request) as Record<string, string>;
  if (type === undefined) return void refuse(response, 'INVALID_EVENT_DATA');
  if (toy.faults.has('swallows-events')) return void response.json({ received: type });
  const [id, authorization] =
    request.params.sender === 'miniapp'
      ? [clientId!, asPlatform(toy, clientId!)]
      : [appId!, basic(appId!, String(toy.partners.get(appId!)?.secret_key))];
  const url = String(toy.partners.get(id)?.events_bridge_url);
  response.json(await post(request, url, { Authorization: authorization }, bodyOf(request)));
}

async function login(toy: ToyPierhead, request: Request, response: Response): Promise<void> {
  const { client_id: clientId, payload } = bodyOf(request) as Record<string, string>;
  try {
    const bytes = Buffer.from(payload!, 'base64');
    const key = Buffer.from(String(toy.partners.get(clientId!)?.secret_key), 'base64url');
    const decipher = createDecipheriv('aes-256-cbc', key, bytes.subarray(0, 16));
    const text = decipher.update(bytes.subarray(16), undefined, 'utf8') + decipher.final('utf8');
    const pair = await toy.miniappToken(request, JSON.parse(text) as JsonFields);
    response.json({ token: pair.auth_token, refresh_token: pair.refresh_token });
  } catch {
    if (toy.faults.has('takes-any-payload')) response.json({ token: 't', refresh_token: 'r' });
    else refuse(response, 'INVALID_USER_DATA');
  }
}

const bodyOf = (request: Request): JsonFields => request.body as JsonFields;

const refuse = (response: Response, code: string, status = 400): unknown =>
  response.status(status).json({ error_code: code, error_message: 'no' });

function asPlatform(toy: ToyPierhead, clientId: string): string {
  const hostApp = toy.partners.get(clientId);
  return basic(String(hostApp?.host_app_client_id), String(hostApp?.host_app_secret_key));
}

/** What names the pair and the inbound call to a partner. */
export function idHeaders(request: Request): Record<string, string> {
  const { client_id: clientId, app_id: appId } = bodyOf(request) as { client_id: string; app_id: string };
  return { 'X-Hostapp-Client-ID': clientId, 'X-Miniapp-App-ID': appId, 'X-Request-Id': request.get('x-request-id') ?? '' };
}

export async function post(request: Request, url: string, headers: Record<string, string>, body: JsonFields): Promise<JsonFields> {
  const all = { ...idHeaders(request), ...headers, 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers: all, body: JSON.stringify(body) });
  return (await response.json()) as JsonFields;
}
