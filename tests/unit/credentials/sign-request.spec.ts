import type { CredentialRef } from '../../../src/domain/credentials/ports';
import type { SignRequestCommand } from '../../../src/domain/credentials/signing/sign-request';
import { defaultSignatureSettings, type SignatureSettings } from '../../../src/domain/credentials/signing/signature-settings';
import { Secret } from '../../../src/domain/shared/secret';
import { ManualClock } from '../../support/manual-clock';
import { aMiniapp } from '../../support/partners/partners';
import { aSignRequest } from '../../support/signatures/signing';
import { SigningPartner, textToSign, type AgreedSettings } from '../../support/signatures/signing-partner';

const secret = { secret: new Secret('a secret'), fingerprint: 'f', createdAt: 0 };
const url = 'https://mini.example/hook?a=1';
const body = new TextEncoder().encode('{"é":1}');

function signing(
  change: Partial<SignatureSettings> = {},
  credentials = { hmac_secret: { current: secret, next: { ...secret, secret: new Secret('next') } } },
) {
  const uses: CredentialRef[] = [];
  const clock = new ManualClock(1_800_000_000_123);
  const receiver = aMiniapp(
    { signature: { ...defaultSignatureSettings, enabled: true, algorithm: 'HMAC', apiClientId: 'cid_1', ...change } },
    credentials,
  );
  const sign = aSignRequest(clock, { used: (credential) => void uses.push(credential) });
  const request = { method: 'POST', url, body, headers: {} };
  const execute = (more: Partial<SignRequestCommand['request']> = {}, merchantId?: string) =>
    sign.execute({ receiver, merchantId, request: { ...request, ...more } });
  return { execute, uses };
}
const partner = (agreed: AgreedSettings = {}) => SigningPartner.withSecret('a secret', agreed);
const expected = (agreed: AgreedSettings, values: { timestamp: string; nonce?: string; merchant_id?: string; url?: string }) =>
  partner(agreed).signature(textToSign(partner(agreed).agreed, { method: 'POST', url, payload: Buffer.from(body), ...values }));

it('gives the headers that prove the request, and no other', async () => {
  const { execute, uses } = signing();
  expect(await execute()).toEqual({
    'X-Client-Id': 'cid_1',
    'X-Timestamp': '1800000000',
    'X-Signature': expected({}, { timestamp: '1800000000' }),
  });
  expect(uses).toEqual([{ partner: 'miniapp', id: 'app_abc123', kind: 'hmac_secret', value: secret }]);
});

it('sends the nonce, identity and merchant id that the settings and template ask for', async () => {
  const payload_template = '{request_method}|{url}|{timestamp}|{nonce}|{identity}|{merchant_id}|{payload}';
  const { execute } = signing({ nonceLength: 16, identity: 'who', payloadTemplate: payload_template });
  const headers = await execute({}, 'shop');
  expect(headers).toMatchObject({ 'X-Identity': 'who', 'X-Merchant-Id': 'shop' });
  const nonce = headers['X-Nonce'] ?? '';
  expect(nonce).toMatch(/^[A-Za-z0-9]{16}$/);
  expect(headers['X-Signature']).toBe(
    expected({ payload_template, identity: 'who' }, { timestamp: '1800000000', nonce, merchant_id: 'shop' }),
  );
  expect((await execute({}, 'shop'))['X-Nonce']).not.toBe(nonce);
  expect(await signing({ identity: 'who' }).execute({}, 'shop')).not.toHaveProperty('X-Merchant-Id');
});

it('signs the timestamp and id headers that the request already has, in any case', async () => {
  const headerNames = {
    ...defaultSignatureSettings.headerNames,
    nonce: 'webhook-id',
    timestamp: 'Webhook-Timestamp',
    signature: 'webhook-signature',
  };
  const payload_template = '{nonce}.{timestamp}.{payload}';
  const { execute } = signing({ headerNames, payloadTemplate: payload_template, nonceLength: 32, signatureTemplate: 'v1,{signature}' });
  const headers = await execute({ headers: { 'Webhook-Id': 'dlv_1', 'webhook-timestamp': '1700000000' } });
  expect(headers).toMatchObject({ 'webhook-id': 'dlv_1', 'Webhook-Timestamp': '1700000000' });
  const given = { payload_template, signature_template: 'v1,{signature}' };
  expect(headers['webhook-signature']).toBe(expected(given, { timestamp: '1700000000', nonce: 'dlv_1' }));
});

it('signs only the path if that was agreed on', async () => {
  const headers = await signing({ urlForm: 'path' }).execute();
  expect(headers['X-Signature']).toBe(expected({}, { timestamp: '1800000000', url: '/hook?a=1' }));
});

it.each<[string, Partial<SignatureSettings>, string]>([
  ['merchant id', { payloadTemplate: '{merchant_id}' }, 'merchant_id'],
  ['identity', { payloadTemplate: '{identity}' }, 'signature.identity'],
  ['nonce', { payloadTemplate: '{nonce}' }, 'signature.nonce_length'],
  ['key pair', { algorithm: 'ECDSA' }, 'signature.platform_key'],
])('refuses without the %s, and notes no use', async (_what, change, setting) => {
  const { execute, uses } = signing(change);
  await expect(execute()).rejects.toMatchObject({
    kind: 'invalid',
    code: 'MISSING_REQUEST_SIGNATURE_SETTINGS',
    details: { side: 'miniapp', setting },
  });
  expect(uses).toEqual([]);
});

it('refuses with a key that cannot be used as without one', async () => {
  const { execute, uses } = signing({}, { hmac_secret: { current: { ...secret, secret: new Secret('whsec_***') }, next: secret } });
  await expect(execute()).rejects.toMatchObject({
    code: 'MISSING_REQUEST_SIGNATURE_SETTINGS',
    details: { setting: 'signature.hmac_secret' },
  });
  expect(uses).toEqual([]);
});
