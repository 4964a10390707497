import { constants, createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { NodeSignatureLab } from '../../../../src/adapters/out/signing/signature-lab';
import { nodeSignatureText } from '../../../../src/adapters/out/signing/signature-text';
import type { CredentialValue } from '../../../../src/domain/credentials/credential';
import { samples } from '../../../support/signatures/sample-programs';
import { explainCase, type ExplainTools } from '../../../../src/domain/credentials/explain/explain-case';
import type { Explanation } from '../../../../src/domain/credentials/explain/explanation';
import type { SignatureCase } from '../../../../src/domain/credentials/explain/signature-case';
import {
  defaultSignatureSettings,
  type SignatureAlgorithm,
  type SignatureHash,
  type SignatureSettings,
} from '../../../../src/domain/credentials/signing/signature-settings';
import { Secret } from '../../../../src/domain/shared/secret';

export const now = 1_700_000_000_000;
export const baseUrl = 'https://platform.example';
export const secret = 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldC1zZWNyZXQ=';

export const workTools: ExplainTools = {
  lab: new NodeSignatureLab(),
  signatureText: nodeSignatureText,
  samples,
  work: { elapsed: () => performance.now(), pause: () => new Promise((resolve) => setImmediate(resolve)) },
};

const openSslNames: Readonly<Record<SignatureHash, string>> = {
  ...{ 'SHA-224': 'sha224', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512', 'SHA-1': 'sha1', MD5: 'md5' },
};

/** A key of the test's own: how it signs, and its stored form. */
export interface TestKey {
  readonly value: CredentialValue;
  readonly signs: (text: Buffer, hash?: SignatureHash) => Buffer;
  readonly privateKey?: KeyObject;
}

export const hmacKey = (text: string, keyBytes: Buffer = Buffer.from(text)): TestKey => ({
  value: { secret: new Secret(text), fingerprint: `sha256:${text.slice(0, 8)}`, createdAt: 0 },
  signs: (signed, hash = 'SHA-256') => createHmac(openSslNames[hash], keyBytes).update(signed).digest(),
});

export function publicKey(algorithm: 'RSA2' | 'ECDSA', namedCurve = 'prime256v1'): TestKey {
  const pair = algorithm === 'RSA2' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ec', { namedCurve });
  const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }) as string;
  return {
    value: { secret: new Secret(pem), publicKey: pem, fingerprint: `sha256:${pem.slice(40, 48)}`, createdAt: 0 },
    signs: (text, hash = 'SHA-256') => sign(openSslNames[hash], text, pair.privateKey),
    privateKey: pair.privateKey,
  };
}

export const pssOf = ({ privateKey }: TestKey, text: Buffer): Buffer =>
  sign('sha256', text, { key: privateKey!, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 });

export const newKey = (algorithm: SignatureAlgorithm): TestKey => (algorithm === 'HMAC' ? hmacKey(secret) : publicKey(algorithm));

/** What one sender does. Each member can be done otherwise. */
export interface Sending {
  readonly algorithm: SignatureAlgorithm;
  readonly key: TestKey;
  readonly settings: Partial<SignatureSettings>;
  readonly method: string;
  readonly target: string;
  readonly body: string;
  /** Parts of the signed text, by placeholder; an absent one is as sent. */
  readonly signed: Readonly<
    Partial<Record<'method' | 'url' | 'clientId' | 'timestamp' | 'payload' | 'nonce' | 'identity' | 'merchantId', string>>
  >;
  readonly text: (values: Readonly<Record<string, string>>) => string;
  readonly hash?: SignatureHash;
  readonly sign?: (text: Buffer) => Buffer;
  readonly encode: (signature: Buffer) => string;
  readonly timestamp: string;
  readonly headers: (headers: Record<string, string>) => Record<string, string>;
  readonly case: Partial<SignatureCase>;
}

export const body =
  '{"client_id":"host_abc123def456","app_id":"app_abc123","order":{"currency":"EUR","amount":"1.10","note":"Grüße an Zoë","items":[{"b":1,"a":2.50}]}}';

export const aSending = (algorithm: SignatureAlgorithm, key: TestKey = newKey(algorithm)): Sending => ({
  ...{ algorithm, key, settings: {}, method: 'POST', target: '/api/v1/orders/create-order-payment/?lang=de', body, signed: {} },
  text: ({ method, url, clientId, timestamp, payload }) => [method, url, clientId, timestamp, payload].join('.'),
  encode: (signature) => signature.toString('base64'),
  timestamp: '1700000000',
  headers: (headers) => headers,
  case: {},
});

/** The request that a sender sends, and the stored settings of the sender. */
export function aCase(sending: Sending): SignatureCase {
  const { algorithm, key, settings, method, target, body: sent, signed, timestamp } = sending;
  const stored: SignatureSettings = { ...defaultSignatureSettings, enabled: true, algorithm, apiClientId: 'cid_1', ...settings };
  const given = {
    method,
    url: baseUrl + target,
    clientId: 'cid_1',
    timestamp,
    payload: sent,
    nonce: 'nonce-0123456789',
    identity: 'id-7',
    merchantId: 'm-9',
    ...signed,
  };
  const text = Buffer.from(sending.text(given));
  const signature = sending.encode(sending.sign ? sending.sign(text) : key.signs(text, sending.hash ?? stored.hash));
  const headers = sending.headers({
    Host: 'platform.example',
    'Content-Type': 'application/json',
    'X-Client-Id': 'cid_1',
    'X-Timestamp': timestamp,
    'X-Signature': signature,
  });
  const kind = algorithm === 'HMAC' ? 'hmac_secret' : 'partner_public_key';
  return {
    request: { method, target, rawHeaders: Object.entries(headers).flat(), body: Buffer.from(sent), remoteAddress: '' },
    settings: stored,
    credentials: { [kind]: { current: key.value } },
    ...{ merchantId: 'm-9', receivedAt: now, publicBaseUrl: baseUrl, windowS: 300, others: [] },
    ids: { app_id: 'app_abc123', client_id: 'host_abc123def456' },
    ...sending.case,
  };
}

export const explained = (sending: Sending, budgetMs = plentyMs): Promise<Explanation> =>
  explainCase(aCase(sending), { ...workTools, budgetMs });

/** What can be found is found, however busy the machine is. */
const plentyMs = 60_000;
