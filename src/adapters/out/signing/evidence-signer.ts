import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { EvidenceKey, EvidenceSigner } from '../../../domain/evidence/ports';

/** Generates a key for evidence: P-256, as PKCS #8 in DER. */
export const newEvidenceKey = (): Buffer =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'der', type: 'pkcs8' });

interface OpenedKey {
  readonly key: KeyObject;
  readonly published: EvidenceKey;
}

/** Signs evidence with ES256. The key is loaded on first use. */
export class NodeEvidenceSigner implements EvidenceSigner {
  private opening: Promise<OpenedKey> | undefined;

  /** `load`: the private key, as PKCS #8 in DER. */
  constructor(private readonly load: () => Promise<Uint8Array>) {}

  async sign(text: string): Promise<string> {
    const { key, published } = await this.opened();
    const header = { alg: 'ES256', typ: 'pierhead-evidence+jws', kid: published.kid };
    const input = [JSON.stringify(header), text].map((part) => Buffer.from(part, 'utf8').toString('base64url')).join('.');
    const signature = sign('sha256', Buffer.from(input, 'ascii'), { key, dsaEncoding: 'ieee-p1363' });
    return `${input}.${signature.toString('base64url')}`;
  }

  async publicKeys(): Promise<readonly EvidenceKey[]> {
    return [(await this.opened()).published];
  }

  /** A failed load is not cached, so the next call tries again. */
  private opened(): Promise<OpenedKey> {
    this.opening ??= this.load()
      .then(openKey)
      .catch((error: unknown) => {
        this.opening = undefined;
        throw error;
      });
    return this.opening;
  }
}

function openKey(pkcs8: Uint8Array): OpenedKey {
  const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
  const { crv = '', kty = '', x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' });
  // The RFC 7638 thumbprint: the required members in the order of their names.
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y }), 'utf8').digest('base64url');
  return { key, published: { kid, crv, kty, x, y } };
}
