import { NodePublicKeyReader } from '../../../src/adapters/out/signing/public-key-reader';
import { NodeSecretDigestProvider } from '../../../src/adapters/out/signing/secret-digest-provider';
import type { CredentialValue } from '../../../src/domain/credentials/credential';
import { hmacSecretProblem, hmacSecretWeakness } from '../../../src/domain/credentials/signing/hmac-secret-rules';
import { Secret } from '../../../src/domain/shared/secret';
import { refusedKeys } from '../../support/signatures/pasted-keys';

const valued = (text: string): CredentialValue => ({
  ...{ secret: new Secret(text), fingerprint: new NodeSecretDigestProvider().fingerprint(text), createdAt: 0 },
});
const secretKey = 'u9Qd9wV0Z6Ho9_TzCYyVW_WwBJwL7KvSl4k8fmfaLyE=';
const secretKeys = [valued(secretKey)];
const causeOf = (text: string, acknowledgeWeak = false) =>
  hmacSecretProblem(valued(text), new NodePublicKeyReader(), { acknowledgeWeak, secretKeys })?.cause;

const whsec = (bytes: number) => `whsec_${Buffer.from(Array.from({ length: bytes }, (_, i) => i)).toString('base64')}`;

describe('an HMAC secret', () => {
  it.each([
    [undefined, '0123456789abcdef0123456789abcdef'],
    [undefined, 'sixteen letters ä'.repeat(2)],
    [undefined, whsec(32)],
    [undefined, whsec(33).replace(/=+$/, '')],
    ['hmac-secret-short', '0123456789abcdef0123456789abcde'],
    ['hmac-secret-short', whsec(31)],
    ['hmac-secret-is-secret-key', secretKey],
  ])('is refused by the name %s: %s, unless acknowledged', (cause, text) => {
    expect(causeOf(text)).toBe(cause);
    expect(causeOf(text, true)).toBeUndefined();
    expect(hmacSecretWeakness(valued(text), secretKeys) === undefined).toBe(cause === undefined);
  });

  it.each([
    ['hmac-secret-empty', ''],
    ['hmac-secret-repeats', 'x'.repeat(40)],
    ['hmac-secret-repeats', `whsec_${Buffer.alloc(40).toString('base64')}`],
    ['hmac-secret-blank', '0123456789abcdef0123456789abcdef\n'],
    ['hmac-secret-blank', ' 0123456789abcdef0123456789abcdef'],
    ['hmac-secret-encoding', 'whsec_'],
    ['hmac-secret-encoding', `whsec_${'*'.repeat(40)}`],
    ['hmac-secret-encoding', `${whsec(32)}=`],
    ['hmac-secret-is-key', '-----BEGIN PUBLIC KEY-----'],
  ])('is refused by the name %s, acknowledged or not: %j', (cause, text) => {
    expect([causeOf(text), causeOf(text, true)]).toEqual([cause, cause]);
  });

  it.each(refusedKeys)('is no key: %s, %s', (_cause, _what, text) => {
    expect(causeOf(text, true)).toBe('hmac-secret-is-key');
  });
});
