import type { DataSource } from 'typeorm';
import { whoMayChangeAuditTrail } from '../adapters/out/postgres/connection/audit-rights';
import { directAddressOf } from '../adapters/out/postgres/data-source';
import type { Settings } from '../config/settings';
import type { Log } from '../domain/shared/ports';

/** What works and is not as it should be, in short words, for the detail of `/health/ready`. */
export type Warning = 'audit-trail-unprotected';

/**
 * Says at the start, once, that the serving role could change the audit trail. Mildly in development; not of the embedded database, whose
 * files its owner could change anyway.
 */
export async function auditWarnings(db: DataSource, { production }: Pick<Settings, 'production'>, log: Log): Promise<readonly Warning[]> {
  const role = directAddressOf(db) && (await whoMayChangeAuditTrail(db));
  if (role === undefined) return [];
  const facts = { role, hint: 'set MIGRATION_DATABASE_URL to the role that owns the tables, and DATABASE_URL to one that owns nothing' };
  if (production) log.warn('audit-trail-unprotected', facts);
  else log.info('audit-trail-unprotected', facts);
  return ['audit-trail-unprotected'];
}
