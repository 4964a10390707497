import { createHash, randomBytes } from 'node:crypto';
import type { AccountTokens } from '../../../domain/accounts/ports';
import { Secret } from '../../../domain/shared/secret';

/** Tokens of 32 random bytes in URL-safe base64; digests are SHA-256, each for its use. */
export class RandomAccountTokens implements AccountTokens {
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
