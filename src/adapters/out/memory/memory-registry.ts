import type { HostApp } from '../../../domain/partners/host-app';
import type { Agreement } from '../../../domain/partners/integration';
import type { Miniapp } from '../../../domain/partners/miniapp';
import type { AuditEntry } from '../../../domain/partners/ports';

/** What the repositories and the directory of one memory share. */
export class MemoryRegistry {
  readonly hostApps = new Map<string, HostApp>();
  readonly miniapps = new Map<string, Miniapp>();
  /** By `client_id/app_id`. */
  readonly agreements = new Map<string, Agreement>();
  /** Oldest first. */
  readonly audit: AuditEntry[] = [];
}
