import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { memberOf } from '../read-body';

/** Secrets that the sandbox partners need after a restart. */
export interface SandboxSecrets {
  /** The host app's Secret key at the service. Absent when it is not known. */
  readonly hostAppSecretKey?: string;
  /** The miniapp's Secret key, for both directions. Absent when it is not known. */
  readonly miniappSecretKey?: string;
  /** The secret that the host app issued to the service. */
  readonly platformSecret: string;
  /** The playground shop's Secret key. Absent when it is not known. */
  readonly shopSecretKey?: string;
  /** The shared secret that signs calls between the playground's shop and the service. */
  readonly shopHmacSecret: string;
}

const names = {
  hostAppSecretKey: 'host_app_secret_key',
  miniappSecretKey: 'miniapp_secret_key',
  platformSecret: 'platform_secret',
  shopSecretKey: 'shop_secret_key',
  shopHmacSecret: 'shop_hmac_secret',
} as const;

/** Reads the file. Where it is missing, damaged or of an older format, the secrets that partners issue are generated anew. */
export async function readSecrets(file: string | undefined): Promise<SandboxSecrets> {
  const kept = file === undefined ? undefined : await readJson(file);
  const hostAppSecretKey = textIn(kept, names.hostAppSecretKey);
  const miniappSecretKey = textIn(kept, names.miniappSecretKey);
  const shopSecretKey = textIn(kept, names.shopSecretKey);
  return {
    ...(hostAppSecretKey !== undefined && { hostAppSecretKey }),
    ...(miniappSecretKey !== undefined && { miniappSecretKey }),
    ...(shopSecretKey !== undefined && { shopSecretKey }),
    platformSecret: textIn(kept, names.platformSecret) ?? newSecret(),
    shopHmacSecret: textIn(kept, names.shopHmacSecret) ?? newSecret(),
  };
}

/** Replaces the whole file; only its owner can read it. */
export async function keepSecrets(file: string, secrets: SandboxSecrets): Promise<void> {
  const content = Object.fromEntries(Object.entries(names).map(([secret, name]) => [name, secrets[secret as keyof SandboxSecrets]]));
  const draft = `${file}.${process.pid}.new`;
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}

const newSecret = (): string => randomBytes(32).toString('base64url');

/** Ignores a missing or damaged file, because its secrets can be rotated. Throws for a file without read permission. */
async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || memberOf(error, 'code') === 'ENOENT') return undefined;
    throw error;
  }
}

function textIn(kept: unknown, name: string): string | undefined {
  const value = memberOf(kept, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
