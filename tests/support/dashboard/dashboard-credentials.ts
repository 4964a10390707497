import { createHmac } from 'node:crypto';
import type { DevelopmentService } from '../service/development-service';

export const seededSecret = 'a-seeded-secret-of-32-bytes-or-more!';

/** Two partners with calls behind them: one that calls with Basic and has an allowlist, one that signs and was refused once. */
export interface SeededPartners {
  readonly clientId: string;
  readonly secretKey: string;
  readonly appId: string;
  /** Calls as the host app. */
  connect(): Promise<Response>;
  manage(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
}

/** Seeds a running service: real calls over its public API, nothing written past it. */
export async function seedPartners(service: DevelopmentService): Promise<SeededPartners> {
  const json = { 'Content-Type': 'application/json' };
  const manage: SeededPartners['manage'] = async (method, path, body) => {
    const headers = { ...json, Authorization: `Bearer ${service.operatorToken}` };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return (await fetch(`${service.url}/manage/v1/${path}`, { method, headers, ...sent })).json() as Promise<Record<string, unknown>>;
  };
  const hostApp = await manage('POST', 'host-apps', {
    name: 'Blue Harbour',
    ip_whitelist: { enabled: false, addresses: ['198.51.100.0/24'] },
  });
  const signature = { enabled: true, algorithm: 'HMAC', hmac_secret: seededSecret, api_client_id: 'ferries' };
  const miniapp = await manage('POST', 'miniapps', { name: 'Ferries', url: 'https://ferries.example/', signature });
  const [clientId, secretKey, appId] = [String(hostApp['client_id']), String(hostApp['secret_key']), String(miniapp['app_id'])];
  const basic = `Basic ${Buffer.from(`${clientId}:${secretKey}`).toString('base64')}`;
  const connect = () =>
    fetch(`${service.url}/api/v1/connect/`, {
      method: 'POST',
      headers: { ...json, Authorization: basic },
      body: JSON.stringify({ client_id: clientId, app_id: appId, user_data: { reference: 'user-1001' } }),
    });
  await connect();
  await callWithHexSignature(service, { clientId, appId });
  return { clientId, secretKey, appId, connect, manage };
}

/** Signed as agreed but for the encoding: hex instead of base64. */
async function callWithHexSignature(service: DevelopmentService, { clientId, appId }: { clientId: string; appId: string }): Promise<void> {
  const url = `${service.url}/api/v1/orders/create-order-payment/`;
  const body = JSON.stringify({ client_id: clientId, app_id: appId, order: { amount: '1.00', currency: 'EUR' } });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = createHmac('sha256', seededSecret).update(`POST.${url}.ferries.${timestamp}.${body}`).digest('hex');
  const headers = { 'Content-Type': 'application/json', 'X-Client-Id': 'ferries', 'X-Timestamp': timestamp, 'X-Signature': signed };
  await fetch(url, { method: 'POST', headers, body });
}
