import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RingKey } from './readers';
import type { Settings } from './settings';

/** What a start needs and production must be given. */
export interface StartSecrets {
  readonly operatorToken: string;
  readonly encryptionKeys: readonly RingKey[];
  /** Where the operator token lies, where it was made here. */
  readonly operatorTokenFile?: string;
}

/** The given secrets; in development, missing ones are made once and kept in the data folder, readable by the owner alone. */
export function startSecrets({ dataDir, operatorToken, encryptionKeys }: Settings): StartSecrets {
  const operatorTokenFile = join(dataDir, 'operator-token');
  return {
    operatorToken: operatorToken ?? keptText(operatorTokenFile, () => `op_${randomBytes(24).toString('base64url')}`),
    encryptionKeys: encryptionKeys ?? [keptKey(join(dataDir, 'encryption-key'))],
    ...(operatorToken === undefined ? { operatorTokenFile } : {}),
  };
}

function keptText(file: string, make: () => string): string {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  if (!existsSync(file)) writeFileSync(file, `${make()}\n`, { mode: 0o600, flag: 'wx' });
  return readFileSync(file, 'utf8').trim();
}

function keptKey(file: string): RingKey {
  const key = Buffer.from(
    keptText(file, () => randomBytes(32).toString('base64')),
    'base64',
  );
  if (key.length !== 32) throw new Error(`${file} must hold 32 bytes in base64`);
  return { id: 'development', key };
}
