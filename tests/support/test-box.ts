import { AesSecretBox } from '../../src/adapters/out/secrets/secret-box';

/** A box with a key of its own, for tests that store sealed values. */
export const testBox = (): AesSecretBox => new AesSecretBox([{ id: 'test', key: new Uint8Array(32).fill(7) }]);
