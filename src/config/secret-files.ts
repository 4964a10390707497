import { readFileSync } from 'node:fs';
import type { Environment, Source } from './readers';

/** Settings that may be given as a file path instead, in a variable with the suffix `_FILE`. */
const secretNames = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'MIGRATION_DATABASE_URL', 'OPERATOR_TOKEN', 'ENCRYPTION_KEYS'] as const;

/** Adds the content of these files to the environment, without their final line break. An unreadable file is a problem. */
export function withSecretFiles({ env, problems }: Source): Environment {
  const read: Record<string, string> = {};
  for (const name of secretNames) {
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (env[name]) problems.push(`${name} and ${name}_FILE are both given`);
    try {
      read[name] = readFileSync(file, 'utf8').trimEnd();
      if (read[name] === '') problems.push(`${name}_FILE names an empty file`);
    } catch {
      problems.push(`${name}_FILE names a file that cannot be read`);
    }
  }
  return Object.keys(read).length === 0 ? env : { ...env, ...read };
}
