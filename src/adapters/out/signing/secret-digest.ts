import { hash, timingSafeEqual } from 'node:crypto';
import type { SecretDigest, SecretMatcher } from '../../../domain/credentials/ports';

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** SecretDigest over SHA-256: digests are compared, so that neither content nor length tells by its time. */
export class NodeSecretDigest implements SecretDigest {
  equals(a: string, b: string): boolean {
    return timingSafeEqual(sha256(a), sha256(b));
  }

  matcher(stored: string): SecretMatcher {
    const digest = sha256(stored);
    return (sent) => timingSafeEqual(sha256(sent), digest);
  }

  fingerprint(text: string): string {
    return `sha256:${sha256(text).toString('hex', 0, 8)}`;
  }
}
