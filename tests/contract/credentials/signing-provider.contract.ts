import type { CredentialValue } from '../../../src/domain/credentials/credential';
import { UnusableKey, type SigningMaterial, type SigningProvider } from '../../../src/domain/credentials/ports';
import type { SignatureAlgorithm, SignatureHash } from '../../../src/domain/credentials/signing/signature-settings';
import { Secret } from '../../../src/domain/shared/secret';
import { nodeSignatureText } from '../../../src/adapters/out/signing/signature-text';
import { signatureVectors, storedKey, titleOf, vectorSources, type SignatureVector } from '../../support/signatures/signature-vectors';

export interface SigningProviderHarness {
  readonly algorithm: SignatureAlgorithm;
  readonly provider: SigningProvider;
  /** Two that are ours: both halves are there. */
  readonly keys: readonly [CredentialValue, CredentialValue];
  /** What may be stored under other rules, or was meant for another algorithm. */
  readonly unusable: Readonly<Record<string, CredentialValue>>;
  /** What opening a key costs is paid once for each: how often it was paid for this one. */
  countOpenings(value: CredentialValue): { readonly value: CredentialValue; readonly openings: () => number };
}

const hashes: readonly SignatureHash[] = ['SHA-224', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA-1', 'MD5'];
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What the signature check and the signing of requests may rely on, whatever the algorithm. */
export function signingProviderContract({ algorithm, provider, keys, unusable, countOpenings }: SigningProviderHarness): void {
  const [key, other] = keys;
  const material = (change: Partial<SigningMaterial> = {}): SigningMaterial => ({ text: bytes('text'), hash: 'SHA-256', key, ...change });

  describe(`SigningProvider: ${algorithm}`, () => {
    it.each(hashes)('verifies its own signatures with %s, also over nothing and over 256 KiB', async (hash) => {
      for (const text of [bytes(''), bytes('text'), new Uint8Array(262_144).fill(7)]) {
        const signature = await provider.sign(material({ hash, text }));
        expect(await provider.verify(material({ hash, text }), signature)).toBe(true);
      }
    });

    it('refuses a signature with another text, key, hash or length', async () => {
      const signature = await provider.sign(material());
      expect(await provider.verify(material({ text: bytes('texu') }), signature)).toBe(false);
      expect(await provider.verify(material({ key: other }), signature)).toBe(false);
      expect(await provider.verify(material({ hash: 'SHA-512' }), signature)).toBe(false);
      for (const length of [0, 1, signature.length - 1]) {
        expect(await provider.verify(material(), signature.subarray(0, length))).toBe(false);
      }
      expect(await provider.verify(material(), Uint8Array.of(...signature, 0))).toBe(false);
    });

    it.each(Object.entries(unusable))('says that %s cannot be used, each time, and nothing of it', async (_what, value) => {
      for (let i = 0; i < 2; i++) {
        const attempt = provider.verify(material({ key: value }), bytes('signature'));
        await expect(attempt).rejects.toThrow(UnusableKey);
        await expect(attempt).rejects.toThrow(/^The key cannot be used with this algorithm$/);
        await expect(provider.sign(material({ key: value }))).rejects.toThrow(UnusableKey);
      }
    });

    it('opens a key once, however often it is used', async () => {
      const { value, openings } = countOpenings(key);
      const signature = await provider.sign(material({ key: value }));
      const opened = openings();
      for (let i = 0; i < 20; i++) await provider.sign(material({ key: value }));
      expect(openings()).toBe(opened);
      await provider.verify(material({ key: value }), signature);
      const both = openings();
      for (let i = 0; i < 20; i++) expect(await provider.verify(material({ key: value }), signature)).toBe(true);
      expect(openings()).toBe(both);
      // A private and a public half are two keys.
      expect([opened, both]).toEqual(algorithm === 'HMAC' ? [1, 1] : [1, 2]);
    });

    describe.each(vectorSources)('agrees with every vector: %s', (source) => {
      const vectors = signatureVectors(source).filter((vector) => vector.algorithm === algorithm);
      const stored = new Map<string, CredentialValue>();
      const keyOf = (vector: SignatureVector): CredentialValue => {
        const name = `${vector.key.name} ${vector.key.form}`;
        const known = stored.get(name) ?? storedKey(vector);
        stored.set(name, known);
        return known;
      };
      const verdict = async (vector: SignatureVector): Promise<SignatureVector['verdict']> => {
        const signature = nodeSignatureText.decode(vector.signature, vector.encoding);
        if (!signature) return 'unreadable';
        return (await provider.verify({ text: vector.text, hash: vector.hash, key: keyOf(vector) }, signature)) ? 'accepted' : 'refused';
      };

      it('with no disagreement', async () => {
        const disagreements: string[] = [];
        for (const vector of vectors) {
          const ours = await verdict(vector);
          if (ours !== vector.verdict) disagreements.push(`${titleOf(vector)}: ${ours}, not ${vector.verdict}`);
        }
        expect(disagreements).toEqual([]);
        expect(vectors.filter((vector) => vector.verdict === 'accepted').length).toBeGreaterThan(0);
        expect(vectors.filter((vector) => vector.verdict === 'refused').length).toBeGreaterThan(0);
      });
    });
  });
}

/** A credential that counts how often its halves are read. */
export function counting(value: CredentialValue): { readonly value: CredentialValue; readonly openings: () => number } {
  let openings = 0;
  class CountingSecret extends Secret {
    override reveal(): string {
      openings++;
      return super.reveal();
    }
  }
  const { publicKey } = value;
  const counted = { ...value, secret: new CountingSecret(value.secret.reveal()) };
  if (publicKey !== undefined) {
    Object.defineProperty(counted, 'publicKey', {
      enumerable: true,
      get: () => {
        openings++;
        return publicKey;
      },
    });
  }
  return { value: counted, openings: () => openings };
}
