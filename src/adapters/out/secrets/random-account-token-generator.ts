import { createHash, randomBytes } from 'node:crypto';
import type { AccountTokenGenerator } from '../../../domain/accounts/ports';
import { Secret } from '../../../domain/shared/secret';

/** Tokens of 32 random bytes in URL-safe base64. Digests are SHA-256, separate for each use. */
export class RandomAccountTokenGenerator implements AccountTokenGenerator {
  make(): Secret {
    return new Secret(randomBytes(32).toString('base64url'));
  }

  digestOf(token: string): string {
    return sha256(token);
  }

  csrfOf(token: string): string {
    return sha256(`csrf:${token}`);
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('base64url');
