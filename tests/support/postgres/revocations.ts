import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { aPairOver, type Pair, type PairSettings } from '../signatures/a-pair';
import { signedHeaders, signing } from '../partners/rotating-partners';
import { operatorToken } from '../service/service';

/** Something that lets a call pass, and how it is taken away. */
export interface Revocation {
  readonly name: string;
  /** One call over the service at this URL: the error code of the refusal, or `accepted`. */
  call(url: string): Promise<string>;
  /** Takes it away over the service at this URL. */
  revoke(url: string): Promise<void>;
  /** What calls are refused with afterwards. */
  readonly refusal: RegExp;
}

const body = (pair: Pair, members: object): string => JSON.stringify({ client_id: pair.clientId, app_id: pair.appId, ...members });

/** Past all checks it is found out that there is no such payment: nobody is called, and nothing is stored. */
async function answerOf(url: string, sent: string, headers: Record<string, string>): Promise<string> {
  const reply = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: sent });
  const { error_code: code } = (await reply.json()) as { error_code: string };
  return code === 'ORDER_NOT_FOUND' ? 'accepted' : code;
}

const callStatus = (url: string, pair: Pair, sign?: (path: string, sent: string) => Record<string, string>): Promise<string> => {
  const path = '/api/v1/orders/get-payment-status/';
  const sent = body(pair, { order_payment_id: 'nobody-knows' });
  return answerOf(`${url}${path}`, sent, sign?.(path, sent) ?? {});
};

const complete = (url: string, pair: Pair): Promise<string> =>
  answerOf(`${url}/api/v1/orders/complete-order/`, body(pair, { order_payment_id: 'nobody-knows', payment_status: 'paid' }), pair.basic);

async function manage(url: string, [method, path, members]: readonly [string, string, object?]): Promise<void> {
  const headers = { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' };
  const reply = await fetch(`${url}/manage/v1/${path}`, { method, headers, ...(members && { body: JSON.stringify(members) }) });
  if (!reply.ok) throw new Error(`${method} ${path}: ${String(reply.status)} ${await reply.text()}`);
}

const fromLoopback = { ip_whitelist: { enabled: true, addresses: ['127.0.0.0/8', '::1'] } };

/** One of each kind, each with partners of its own, set up over the service at this URL. */
export async function aRevocationOfEachKind(url: string): Promise<Revocation[]> {
  const make = (settings: PairSettings): Promise<Pair> => aPairOver(url, settings);
  const hmacSecret = 'a-shared-secret-of-more-than-32-bytes';
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' });
  const [secret, address, hmac, key, integration, feature, partner] = await Promise.all([
    make({}),
    make({ miniapp: fromLoopback }),
    make({ miniapp: signing('HMAC', { hmac_secret: hmacSecret }) }),
    make({ miniapp: signing('ECDSA', { partner_public_key: publicPem }) }),
    make({ miniapp: fromLoopback }),
    make({ miniapp: fromLoopback }),
    make({ miniapp: fromLoopback }),
  ]);
  const callAt = (pair: Pair) => (to: string) => callStatus(to, pair);
  const signed = (pair: Pair, by: string | KeyObject) => (to: string) =>
    callStatus(to, pair, (path, sent) => signedHeaders(path, sent, by));
  const revoking = (...call: readonly [string, string, object?]) => ({ revoke: (to: string) => manage(to, call) });
  const current = (credential: string) => ({ credential, which: 'current' });
  const noSuchSignature = /^(INVALID_SIGNATURE|MISSING_REQUEST_SIGNATURE_SETTINGS)$/;
  return [
    {
      ...{ name: 'secret', call: (to: string) => complete(to, secret), refusal: /^(ACCESS_DENIED|RATE_LIMITED)$/ },
      ...revoking('POST', `host-apps/${secret.clientId}/revoke`, current('secret_key')),
    },
    {
      ...{ name: 'address', call: callAt(address), refusal: /^NOT_A_WHITELISTED_IP$/ },
      ...revoking('PATCH', `miniapps/${address.appId}`, { ip_whitelist: { addresses: ['192.0.2.1'] } }),
    },
    {
      ...{ name: 'HMAC secret', call: signed(hmac, hmacSecret), refusal: noSuchSignature },
      ...revoking('POST', `miniapps/${hmac.appId}/revoke`, current('hmac_secret')),
    },
    {
      ...{ name: 'public key', call: signed(key, privateKey), refusal: noSuchSignature },
      ...revoking('POST', `miniapps/${key.appId}/revoke`, current('partner_public_key')),
    },
    {
      ...{ name: 'integration', call: callAt(integration), refusal: /^NO_INTEGRATION$/ },
      ...revoking('PUT', `integrations/${integration.clientId}/${integration.appId}`, {
        status: 'suspended',
        features: { payments: true },
      }),
    },
    {
      ...{ name: 'feature', call: callAt(feature), refusal: /^FEATURE_DISABLED_IN_HOSTAPP$/ },
      ...revoking('PATCH', `host-apps/${feature.clientId}`, { features: { payments: false } }),
    },
    {
      ...{ name: 'partner', call: callAt(partner), refusal: /^MINIAPP_NOT_FOUND$/ },
      ...revoking('DELETE', `miniapps/${partner.appId}`),
    },
  ];
}
