import { maxKeptBody, keptForMs, KeptQuota, withoutCredentials } from '../../../../domain/credentials/explain/kept-parts';
import type { RefusedRequest, RefusedRequestRepository } from '../../../../domain/credentials/explain/ports';
import type { AuditEntry } from '../../../../domain/partners/ports';
import { requireIds } from '../../../../domain/shared/required-id';

const maxHeld = 1000;

/** Refused requests in memory: the last 1,000 of them. */
export class MemoryRefusedRequestRepository implements RefusedRequestRepository {
  /** The audit entries of reveals, oldest first. */
  readonly audit: AuditEntry[] = [];
  private readonly held = new Map<string, RefusedRequest>();
  private readonly quota = new KeptQuota();

  keep(refused: RefusedRequest, signatureHeader: string): void {
    if (refused.request.body.length > maxKeptBody || !this.quota.allows(refused)) return;
    this.held.set(refused.exchangeId, { ...refused, request: withoutCredentials(refused.request, signatureHeader) });
    const [oldest] = this.held.keys();
    if (this.held.size > maxHeld && oldest !== undefined) this.held.delete(oldest);
  }

  async find(exchangeId: string, now: number): Promise<RefusedRequest | undefined> {
    requireIds({ exchangeId });
    const found = this.held.get(exchangeId);
    return found && found.receivedAt + keptForMs > now ? found : undefined;
  }

  async reveal(exchangeId: string, now: number, audit: () => AuditEntry): Promise<RefusedRequest | undefined> {
    const found = await this.find(exchangeId, now);
    if (found) this.audit.push(audit());
    return found;
  }

  async has(exchangeId: string, now: number): Promise<boolean> {
    return (await this.find(exchangeId, now)) !== undefined;
  }
}
