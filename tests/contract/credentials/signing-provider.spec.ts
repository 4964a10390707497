import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { signingProviders } from '../../../src/adapters/out/signing/signing-providers';
import type { CredentialValue } from '../../../src/domain/credentials/credential';
import { Secret } from '../../../src/domain/shared/secret';
import { signatureVectors, vectorSources } from '../../support/signatures/signature-vectors';
import { counting, signingProviderContract } from './signing-provider.contract';

const secretOf = (text: string): CredentialValue => ({ secret: new Secret(text), fingerprint: text, createdAt: 0 });
function pairOf({ privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject }): CredentialValue {
  const pem = publicKey.export({ format: 'pem', type: 'spki' }) as string;
  return { ...secretOf(privateKey.export({ format: 'pem', type: 'pkcs8' }) as string), publicKey: pem };
}
const rsa = (modulusLength: number) => pairOf(generateKeyPairSync('rsa', { modulusLength }));
const ec = (namedCurve: string) => pairOf(generateKeyPairSync('ec', { namedCurve }));

const [rsaKey, ecKey] = [rsa(2048), ec('P-256')];
const foreign = {
  'an Ed25519 key': pairOf(generateKeyPairSync('ed25519')),
  'no key at all': { ...secretOf('-----BEGIN PUBLIC KEY-----'), publicKey: '-----BEGIN PUBLIC KEY-----' },
};

signingProviderContract({
  algorithm: 'HMAC',
  provider: signingProviders.HMAC,
  keys: [secretOf('a secret of more than thirty-two bytes'), secretOf('another secret of more than thirty-two bytes')],
  unusable: {
    'an empty secret': secretOf(''),
    'no base64 behind whsec_': secretOf('whsec_***'),
    'nothing behind whsec_': secretOf('whsec_'),
  },
  countOpenings: counting,
});

signingProviderContract({
  algorithm: 'RSA2',
  provider: signingProviders.RSA2,
  keys: [rsaKey, rsa(2048)],
  unusable: {
    ...foreign,
    'an EC key': ecKey,
    'an RSA key of 1024 bits': rsa(1024),
    'an RSA key for PSS alone': pairOf(generateKeyPairSync('rsa-pss', { modulusLength: 2048 })),
  },
  countOpenings: counting,
});

signingProviderContract({
  algorithm: 'ECDSA',
  provider: signingProviders.ECDSA,
  keys: [ecKey, ec('P-256')],
  unusable: {
    ...foreign,
    'an RSA key': rsaKey,
    'an EC key on P-224': ec('secp224r1'),
    'an EC key on a Brainpool curve': ec('brainpoolP256r1'),
  },
  countOpenings: counting,
});

describe.each(['P-384', 'P-521', 'secp256k1'])('ECDSA on %s', (curve) => {
  it('is verified off the main thread, one by one or all at once', async () => {
    const key = ec(curve);
    const provider = signingProviders.ECDSA;
    const text = new TextEncoder().encode('text');
    const signature = await provider.sign({ text, hash: 'SHA-256', key });
    const checks = Array.from({ length: 50 }, (_, i) =>
      provider.verify({ text, hash: 'SHA-256', key }, i % 2 === 0 ? signature : signature.toReversed()),
    );
    expect((await Promise.all(checks)).filter((right) => right)).toHaveLength(25);
  });
});

describe('the vectors', () => {
  const accepted = vectorSources.flatMap(signatureVectors).filter(({ verdict }) => verdict === 'accepted');
  const covered = new Set(accepted.map(({ algorithm, hash, key, encoding }) => [algorithm, hash, key.name, key.form, encoding].join(' ')));
  const each = (...lists: readonly (readonly string[])[]): string[] =>
    lists.reduce<string[]>((made, list) => made.flatMap((start) => list.map((next) => (start ? `${start} ${next}` : next))), ['']);
  const sha = ['SHA-224', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA-1'];
  const encodings = ['base64', 'base64url', 'hex'];
  const curves = ['P-256', 'P-384', 'P-521', 'secp256k1'];

  it('hold every algorithm with every hash, curve, key format and encoding', () => {
    const wanted = [
      ...each(['HMAC'], [...sha, 'MD5'], ['plain', 'utf8', 'long', 'whsec'], ['secret'], encodings),
      ...each(['RSA2'], [...sha, 'MD5'], ['rsa-2048'], ['pem', 'der', 'pem-pkcs1', 'der-pkcs1'], encodings),
      ...each(
        ['ECDSA'],
        sha,
        curves.map((curve) => `ec-${curve}`),
        ['pem', 'der'],
        encodings,
      ),
    ];
    expect(wanted.filter((name) => !covered.has(name))).toEqual([]);
  });

  it('cover both forms of ECDSA, and many kinds of wrong signatures', () => {
    const openssl = signatureVectors('openssl');
    for (const form of ['right, DER', 'right, r and s']) {
      expect(openssl.filter((vector) => vector.case === form)).toHaveLength(4 * 8 * 2 * 3);
    }
    expect(new Set(openssl.filter(({ verdict }) => verdict !== 'accepted').map((vector) => vector.case)).size).toBeGreaterThan(80);
  });
});
