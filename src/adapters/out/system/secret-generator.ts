import { randomBytes, randomInt } from 'node:crypto';
import type { SecretGenerator } from '../../../domain/credentials/ports';
import { Secret } from '../../../domain/shared/secret';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const secretBytes = 32;

/** Secrets from the random generator of the operating system. */
export class RandomSecretGenerator implements SecretGenerator {
  secretKey(): Secret {
    // Not `base64url`, which omits the padding that the contract requires (contract/conventions#ids).
    return new Secret(randomBytes(secretBytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_'));
  }

  letters(length: number): string {
    return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
  }
}
