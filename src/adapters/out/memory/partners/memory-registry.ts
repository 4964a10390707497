import type { HostApp } from '../../../../domain/partners/host-app';
import type { IntegrationRecord } from '../../../../domain/partners/integrations/integration';
import type { Miniapp } from '../../../../domain/partners/miniapp';
import type { AuditEntry } from '../../../../domain/partners/ports';

/** The records that the repositories and the directory of one memory share. */
export class MemoryRegistry {
  readonly hostApps = new Map<string, HostApp>();
  readonly miniapps = new Map<string, Miniapp>();
  /** Keyed by `client_id/app_id`. */
  readonly integrations = new Map<string, IntegrationRecord>();
  /** Audit entries, oldest first. */
  readonly audit: AuditEntry[] = [];
}
