import { SealBroken } from '../../adapters/out/secrets/secret-cipher';
import type { Settings } from '../../config/settings';

/** The database holds values that the keys of this start cannot decrypt. */
export class KeyRingMismatch extends Error {
  constructor({ encryptionKeys, dataDir }: Pick<Settings, 'encryptionKeys' | 'dataDir'>, cause: SealBroken) {
    const keys = encryptionKeys ? 'those of ENCRYPTION_KEYS' : `the one in DATA_DIR (${dataDir})`;
    super(
      `The database was sealed under other encryption keys than ${keys}: set ENCRYPTION_KEYS, or DATA_DIR, to what this database was first started with; "pierhead keys list" says which keys it needs (${cause.message})`,
      { cause },
    );
    this.name = new.target.name;
  }
}

/** Runs the first work that needs the keys. @throws KeyRingMismatch */
export async function withMatchingKeys<T>(settings: Settings, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof SealBroken ? new KeyRingMismatch(settings, error) : error;
  }
}
