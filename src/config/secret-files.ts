import { readFileSync } from 'node:fs';
import type { Environment, Source } from './readers';

/** Settings that may be given as the path of a file, in the name with `_FILE` behind it. */
const secretNames = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'MIGRATION_DATABASE_URL', 'OPERATOR_TOKEN', 'ENCRYPTION_KEYS'] as const;

/** The environment with what stands in such files, without the line break at their ends. Files that cannot be read are problems. */
export function withSecretFiles({ env, problems }: Source): Environment {
  const read: Record<string, string> = {};
  for (const name of secretNames) {
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (env[name]) problems.push(`${name} and ${name}_FILE are both given`);
    try {
      read[name] = readFileSync(file, 'utf8').trimEnd();
    } catch {
      problems.push(`${name}_FILE names a file that cannot be read`);
    }
  }
  return Object.keys(read).length === 0 ? env : { ...env, ...read };
}
