import { SigningPartner } from '../support/signatures/signing-partner';
import { operatorToken } from './bench-service';

/** A host app and a miniapp that are integrated, and what each proves itself with. */
export interface BenchPair {
  readonly clientId: string;
  readonly appId: string;
  /** The host app's Secret key. */
  readonly hostSecret: string;
  /** Basic of the host app, and of the miniapp. */
  readonly hostBasic: string;
  readonly miniBasic: string;
  readonly hostSigns?: SigningPartner;
  readonly miniSigns?: SigningPartner;
}

const secret = 'a secret of more than thirty-two bytes';
export const features = { sso: true, payments: true, events: true };

/** What signs. No two apps may have one key. */
const makeSigners = () => ({
  hmac: SigningPartner.withSecret(secret),
  'hmac-nonce': SigningPartner.withSecret(secret, {
    nonce_length: 36,
    payload_template: '{request_method}.{url}.{client_id}.{timestamp}.{nonce}.{payload}',
  }),
  ecdsa: SigningPartner.withEcKey('P-256'),
  rsa2: SigningPartner.withRsaKey(),
});

export type SignerName = keyof ReturnType<typeof makeSigners>;
export type PairName = 'basic' | SignerName | 'payments';
export type BenchPairs = Readonly<Record<PairName, BenchPair>>;

/** Sets up the partners of a run through the manage API: all know one stub. */
export async function setUpPairs(service: string, stub: string): Promise<BenchPairs> {
  const manage = managing(service);
  const signers = makeSigners();
  const plainMini = await manage('POST', 'miniapps', miniapp(stub));
  const pairs: Partial<Record<PairName, BenchPair>> = {};
  for (const name of ['basic', ...Object.keys(signers)] as (SignerName | 'basic')[]) {
    const hostSigns = name === 'basic' ? undefined : signers[name];
    const host = await manage('POST', 'host-apps', hostApp(stub, hostSigns && { signature: hostSigns.settings }));
    pairs[name] = { ...(await integrated(manage, host, plainMini)), ...(hostSigns && { hostSigns }) };
  }
  const payingHost = await manage('POST', 'host-apps', hostApp(stub, { use_access_token: true }));
  const signingMini = await manage('POST', 'miniapps', { ...miniapp(stub), signature: signers.hmac.settings });
  pairs.payments = { ...(await integrated(manage, payingHost, signingMini)), miniSigns: signers.hmac };
  return pairs as BenchPairs;
}

type Manage = ReturnType<typeof managing>;
type Made = Readonly<Record<'client_id' | 'app_id' | 'secret_key', string>>;

/** Calls the manage API; throws what it refuses with. */
export function managing(service: string) {
  const headers = { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' };
  return async (method: string, path: string, body: unknown): Promise<Made> => {
    const answer = await fetch(`${service}/manage/v1/${path}`, { method, headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`The partners could not be set up: ${answer.status} ${text}`);
    return JSON.parse(text) as Made;
  };
}

async function integrated(manage: Manage, host: Made, mini: Made): Promise<BenchPair> {
  await manage('PUT', `integrations/${host.client_id}/${mini.app_id}`, { status: 'accepted', features });
  return {
    clientId: host.client_id,
    appId: mini.app_id,
    hostSecret: host.secret_key,
    hostBasic: basicOf(host.client_id, host.secret_key),
    miniBasic: basicOf(mini.app_id, mini.secret_key),
  };
}

const basicOf = (user: string, key: string): string => `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;

const hostApp = (stub: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ name: 'Host', features, host_app_client_id: 'platform-at-host', host_app_secret_key: 'secret-of-the-platform-at-the-host' },
  ...{ access_token_url: `${stub}/token`, refresh_token_url: `${stub}/refresh`, user_data_url: `${stub}/user` },
  ...{ create_order_payment_url: `${stub}/create`, get_order_payment_status_url: `${stub}/status`, events_bridge_url: `${stub}/events` },
  ...more,
});

const miniapp = (stub: string) => ({
  ...{ name: 'Mini', features, get_auth_token_url: `${stub}/auth`, webhook_url: `${stub}/webhook`, events_bridge_url: `${stub}/events` },
});
