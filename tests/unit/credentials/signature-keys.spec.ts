import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { checkSignature } from '../../../src/domain/credentials/signing/signature-check';
import type { CredentialValue } from '../../../src/domain/credentials/credential';
import { Secret } from '../../../src/domain/shared/secret';
import { aMiniapp } from '../../support/partners/partners';
import { signatureTools } from '../../support/signatures/signing';

const now = 1_700_000_000_000;
const text = 'POST.https://platform.example/x.cid_1.1700000000.{}';

const keyOf = (publicKey: string): CredentialValue => ({
  secret: new Secret(publicKey),
  publicKey,
  fingerprint: publicKey.slice(40, 60),
  createdAt: 0,
});
const pairOf = (type: 'ec' | 'rsa') =>
  type === 'ec'
    ? generateKeyPairSync('ec', {
        namedCurve: 'P-256',
        publicKeyEncoding: { format: 'pem', type: 'spki' },
        privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
      })
    : generateKeyPairSync('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { format: 'pem', type: 'spki' },
        privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
      });

const [ec, rsa] = [pairOf('ec'), pairOf('rsa')];

function check(current: CredentialValue, previous: CredentialValue, signature: string): Promise<void> {
  const { signature: settings } = aMiniapp().settings;
  const partner = aMiniapp(
    { signature: { ...settings, enabled: true, algorithm: 'ECDSA', apiClientId: 'cid_1' } },
    { partner_public_key: { current, previous: { ...previous, validUntil: now + 1000 } } },
  );
  const rawHeaders = ['X-Client-Id', 'cid_1', 'X-Timestamp', '1700000000', 'X-Signature', signature];
  const request = { method: 'POST', target: '/x', rawHeaders, body: Buffer.from('{}'), remoteAddress: '' };
  const rule = { partner, merchantId: undefined, headerNames: partner.settings.signature.headerNames };
  return checkSignature(rule, signatureTools)(request, now);
}

describe('after a change of the algorithm', () => {
  it('the previous key of another type accepts nothing and does no harm', async () => {
    const right = sign('sha256', Buffer.from(text), ec.privateKey).toString('base64');
    await expect(check(keyOf(ec.publicKey), keyOf(rsa.publicKey), right)).resolves.toBeUndefined();
    const byOther = sign('sha256', Buffer.from(text), rsa.privateKey).toString('base64');
    await expect(check(keyOf(ec.publicKey), keyOf(rsa.publicKey), byOther)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  });

  it('a current key of the wrong type is reported as unusable', async () => {
    const any = createHmac('sha256', 'k').update(text).digest('base64');
    await expect(check(keyOf(rsa.publicKey), keyOf(ec.publicKey), any)).rejects.toMatchObject({
      code: 'SIGNATURE_VALIDATION_ERROR',
      details: { cause: 'key' },
    });
  });
});
