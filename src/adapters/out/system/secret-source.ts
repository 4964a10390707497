import { randomBytes, randomInt } from 'node:crypto';
import type { SecretSource } from '../../../domain/credentials/ports';
import { Secret } from '../../../domain/shared/secret';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const secretBytes = 32;

/** Secrets from the random generator of the operating system. */
export class RandomSecretSource implements SecretSource {
  secretKey(): Secret {
    // Not `base64url`, which leaves out the padding that the contract asks for (contract/conventions#ids).
    return new Secret(randomBytes(secretBytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_'));
  }

  letters(length: number): string {
    return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
  }
}
