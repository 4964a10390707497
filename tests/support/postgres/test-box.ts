import { AesSecretCipher } from '../../../src/adapters/out/secrets/secret-cipher';

/** A box with a key of its own, for tests that store sealed values. */
export const testBox = (): AesSecretCipher => new AesSecretCipher([{ id: 'test', key: new Uint8Array(32).fill(7) }]);
