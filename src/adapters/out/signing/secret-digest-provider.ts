import { hash, timingSafeEqual } from 'node:crypto';
import type { SecretDigestProvider, SecretMatcher } from '../../../domain/credentials/ports';

const digestLength = 32;

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** SecretDigestProvider with SHA-256. It compares digests, so that the time reveals neither content nor length. */
export class NodeSecretDigestProvider implements SecretDigestProvider {
  /** A reused buffer for the stored digest; comparisons are synchronous. */
  private readonly digest = Buffer.alloc(digestLength);

  equals(a: string, b: string): boolean {
    return timingSafeEqual(sha256(a), sha256(b));
  }

  matcher(stored: string): SecretMatcher {
    // Stored as a string with one byte per character: a Buffer is three objects, and there is one for every caller.
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
