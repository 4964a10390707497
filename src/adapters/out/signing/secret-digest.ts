import { hash, timingSafeEqual } from 'node:crypto';
import type { SecretDigest, SecretMatcher } from '../../../domain/credentials/ports';

const digestLength = 32;

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** SecretDigest over SHA-256: digests are compared, so that neither content nor length tells by its time. */
export class NodeSecretDigest implements SecretDigest {
  /** The other side of a comparison; one at a time. */
  private readonly digest = Buffer.alloc(digestLength);

  equals(a: string, b: string): boolean {
    return timingSafeEqual(sha256(a), sha256(b));
  }

  matcher(stored: string): SecretMatcher {
    // Kept as a text, of a byte a character: a buffer is three objects, and there is one of these for every caller.
    const digest = hash('sha256', stored, 'binary');
    return (sent) => {
      this.digest.write(digest, 'binary');
      return timingSafeEqual(sha256(sent), this.digest);
    };
  }

  fingerprint(text: string): string {
    return `sha256:${sha256(text).toString('hex', 0, 8)}`;
  }
}
