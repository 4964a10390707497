import type { IntegrationKey, AuditEntry } from '../../../../domain/partners/ports';
import { keyText } from '../../../../domain/problems/find-problems';
import type { Mute, MutedProblemRepository, ProblemKey } from '../../../../domain/problems/ports';
import type { Live, LiveIntegrationRepository, Probe, ProbeRepository } from '../../../../domain/readiness/ports';

/** Receives the audit rows. */
interface Trail {
  readonly audit: AuditEntry[];
}

/** Muted problems in memory. */
export class MemoryMutedProblemRepository implements MutedProblemRepository {
  private readonly mutes = new Map<string, Mute>();

  constructor(private readonly trail: Trail) {}

  async list(): Promise<readonly Mute[]> {
    return [...this.mutes.values()].sort((a, b) => b.at - a.at);
  }

  async mute(mute: Mute, audit: AuditEntry): Promise<void> {
    this.mutes.set(keyText(mute), mute);
    this.trail.audit.push(audit);
  }

  async unmute(key: ProblemKey, audit: AuditEntry): Promise<boolean> {
    const was = this.mutes.delete(keyText(key));
    if (was) this.trail.audit.push(audit);
    return was;
  }
}

/** The last probe of each URL, in memory. */
export class MemoryProbeRepository implements ProbeRepository {
  private readonly probes = new Map<string, Probe>();

  async list(pairs: readonly IntegrationKey[]): Promise<readonly Probe[]> {
    const own = { 'host-app': pairs.map(({ clientId }) => clientId), miniapp: pairs.map(({ appId }) => appId) };
    return [...this.probes.values()].filter(({ partnerKind, partnerId }) => own[partnerKind].includes(partnerId));
  }

  async keep(probe: Probe): Promise<void> {
    this.probes.set(`${probe.partnerKind} ${probe.partnerId} ${probe.endpoint}`, probe);
  }
}

/** Which integrations are live, in memory. */
export class MemoryLiveIntegrationRepository implements LiveIntegrationRepository {
  private readonly live = new Map<string, Live>();

  constructor(private readonly trail: Trail) {}

  async list(integrationIds: readonly string[]): Promise<readonly Live[]> {
    return [...this.live.values()].filter(({ integrationId }) => integrationIds.includes(integrationId));
  }

  async begin(live: Live, audit: AuditEntry): Promise<void> {
    this.live.set(live.integrationId, live);
    this.trail.audit.push(audit);
  }

  async end(integrationId: string, audit: AuditEntry): Promise<boolean> {
    const was = this.live.delete(integrationId);
    if (was) this.trail.audit.push(audit);
    return was;
  }
}
