import type { DataSource } from 'typeorm';
import { whoMayChangeAuditTrail } from '../../adapters/out/postgres/connection/audit-rights';
import { directAddressOf } from '../../adapters/out/postgres/connection/data-source';
import type { Settings } from '../../config/settings';
import type { Log } from '../../domain/shared/ports';

/** A condition that works but should be corrected, as a short code for the detail of `/health/ready`. */
export type Warning = 'audit-trail-unprotected';

/**
 * Logs once at the start that the serving role can change the audit trail, with a lower level in development. Not for the embedded
 * database, whose files its owner can change anyway.
 */
export async function auditWarnings(db: DataSource, { production }: Pick<Settings, 'production'>, log: Log): Promise<readonly Warning[]> {
  const role = directAddressOf(db) && (await whoMayChangeAuditTrail(db));
  if (role === undefined) return [];
  const fields = { role, hint: 'set MIGRATION_DATABASE_URL to the role that owns the tables, and DATABASE_URL to one that owns nothing' };
  if (production) log.warn('audit-trail-unprotected', fields);
  else log.info('audit-trail-unprotected', fields);
  return ['audit-trail-unprotected'];
}
