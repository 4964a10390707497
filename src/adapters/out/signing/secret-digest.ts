import { createHash, timingSafeEqual } from 'node:crypto';
import type { SecretDigest } from '../../../domain/credentials/ports';

const sha256 = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

/** SecretDigest over SHA-256: digests are compared, so that neither content nor length tells by its time. */
export class NodeSecretDigest implements SecretDigest {
  equals(a: string, b: string): boolean {
    return timingSafeEqual(sha256(a), sha256(b));
  }

  fingerprint(text: string): string {
    return `sha256:${sha256(text).toString('hex', 0, 8)}`;
  }
}
