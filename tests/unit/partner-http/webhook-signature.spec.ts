import { createHmac } from 'node:crypto';
import { webhookSignature } from '../../../src/adapters/out/partner-http/deliveries/webhook-signature';
import { HmacProvider } from '../../../src/adapters/out/signing/hmac-provider';
import type { CredentialSlots } from '../../../src/domain/credentials/credential';
import { defaultSignatureSettings } from '../../../src/domain/credentials/signing/signature-settings';
import { Secret } from '../../../src/domain/shared/secret';
import { aHostApp, aMiniapp } from '../../support/partners/partners';

// The example that is published with the specification.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const headers = { 'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek', 'webhook-timestamp': '1614265330' };
const body = Buffer.from('{"test": 2432232314}');
const published = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

const on = { signature: { ...defaultSignatureSettings, webhookSignature: true } };
const valued = (text: string, validUntil?: number) => ({
  ...{ secret: new Secret(text), fingerprint: `sha256:${text}`, createdAt: 0 },
  ...(validUntil !== undefined && { validUntil }),
});
const signed = (hmac_secret: CredentialSlots, sent: Record<string, string> = headers) =>
  webhookSignature(aMiniapp(on, { hmac_secret }), sent, body, new HmacProvider());
const byHand = (key: string) =>
  `v1,${createHmac('sha256', key).update(`${headers['webhook-id']}.1614265330.`).update(body).digest('base64')}`;

it('is the published one of the published example, for both kinds of receiver', async () => {
  const credentials = { hmac_secret: { current: valued(secret) } };
  expect(await signed(credentials.hmac_secret)).toEqual({ 'webhook-signature': published });
  expect(await webhookSignature(aHostApp(on, credentials), headers, body, new HmacProvider())).toEqual({ 'webhook-signature': published });
});

it('is made with the current secret and with the previous one until that expires', async () => {
  const slots = { current: valued(secret), next: valued('a secret that waits') };
  const previous = (until: number) => signed({ ...slots, previous: valued('the secret before, as text', until) });
  const both = { 'webhook-signature': `${published} ${byHand('the secret before, as text')}` };
  expect(await previous(1_614_265_330_001)).toEqual(both);
  expect(await previous(1_614_265_330_000)).toEqual({ 'webhook-signature': published });
});

it('is for deliveries of those who want it', async () => {
  const { 'webhook-id': _id, ...withoutId } = headers;
  expect(await signed({ current: valued(secret) }, withoutId)).toEqual({});
  expect(await webhookSignature(aMiniapp({}, { hmac_secret: { current: valued(secret) } }), headers, body, new HmacProvider())).toEqual({});
});

it.each([
  ['none', {}],
  ['one that cannot be read', { current: valued('whsec_*') }],
])('refuses to send unsigned: %s', async (_what, slots: CredentialSlots) => {
  await expect(signed(slots)).rejects.toMatchObject({
    code: 'MISSING_REQUEST_SIGNATURE_SETTINGS',
    details: { side: 'miniapp', setting: 'signature.hmac_secret' },
  });
});
