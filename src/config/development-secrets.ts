import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirError, requireDataDir } from './data-dir';
import type { RingKey } from './readers';
import type { Settings } from './settings';

/** Secrets that a start needs; in production they must be set. */
export interface StartSecrets {
  readonly operatorToken: string;
  readonly encryptionKeys: readonly RingKey[];
  /** File of the operator token, if it was generated here. */
  readonly operatorTokenFile?: string;
}

/**
 * The configured secrets. In development, missing ones are generated once and kept in the data folder, readable by the owner alone. @throws
 * DataDirUnusable
 */
export function startSecrets({ dataDir, databaseUrl, sandbox, operatorToken, encryptionKeys }: Settings): StartSecrets {
  if (databaseUrl === undefined || sandbox || operatorToken === undefined || encryptionKeys === undefined) requireDataDir(dataDir);
  const operatorTokenFile = join(dataDir, 'operator-token');
  return {
    operatorToken: operatorToken ?? keptText(dataDir, operatorTokenFile, () => `op_${randomBytes(24).toString('base64url')}`),
    encryptionKeys: encryptionKeys ?? [keyFrom(keyFile(dataDir), keptText(dataDir, keyFile(dataDir), newKey))],
    ...(operatorToken === undefined ? { operatorTokenFile } : {}),
  };
}

/** The existing keys that a start would use. Generates nothing. */
export function knownKeys({ dataDir, production, encryptionKeys }: Settings): readonly RingKey[] {
  if (encryptionKeys) return encryptionKeys;
  const file = keyFile(dataDir);
  return production || !existsSync(file) ? [] : [keyFrom(file, keptText(dataDir, file, newKey))];
}

const keyFile = (dataDir: string): string => join(dataDir, 'encryption-key');
const newKey = (): string => randomBytes(32).toString('base64');

function keptText(dataDir: string, file: string, make: () => string): string {
  try {
    if (!existsSync(file)) writeFileSync(file, `${make()}\n`, { mode: 0o600, flag: 'wx' });
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw dataDirError(dataDir, error);
  }
}

function keyFrom(file: string, text: string): RingKey {
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new Error(`${file} must hold 32 bytes in base64`);
  return { id: 'development', key };
}
