import type { Exchange } from '../exchanges/exchange';
import type { FigureReader } from '../figures/ports';
import { slotted } from '../figures/slots';
import type { HostApp } from '../partners/host-app';
import type { IntegrationRecord } from '../partners/integrations/integration';
import type { Miniapp } from '../partners/miniapp';
import type { IntegrationKey, IntegrationRepository, HostAppRepository, MiniappRepository, PageRequest } from '../partners/ports';
import { isUndecided } from '../partners/integrations/proposal';
import { UnknownIntegration } from '../partners/registry-errors';
import type { Clock } from '../shared/ports';
import { agreed, checklistOf, type ChecklistItem, percentDone, type ReadinessInput } from './checklist';
import { neededUrls } from './needed-urls';
import type { EndpointProbeGateway, Live, LiveIntegrationRepository, PaymentProofs, ProbeRepository, ProofReader } from './ports';

export interface ReadinessDeps {
  readonly hostApps: Pick<HostAppRepository, 'find' | 'listOf'>;
  readonly miniapps: Pick<MiniappRepository, 'find' | 'listOf'>;
  readonly integrations: Pick<IntegrationRepository, 'find' | 'list'>;
  readonly figures: FigureReader;
  readonly proofs: ProofReader;
  readonly probes: ProbeRepository;
  readonly probe: EndpointProbeGateway;
  readonly live: LiveIntegrationRepository;
  readonly clock: Clock;
}

export interface Readiness {
  readonly integrationRecord: IntegrationRecord;
  readonly items: readonly ChecklistItem[];
  /** Share of the applicable items that are done, in whole percent. */
  readonly percent: number;
  /** Absent when the integration is in test. */
  readonly live?: Live | undefined;
}

interface Parties {
  readonly integrationRecord: IntegrationRecord;
  readonly hostApp: HostApp;
  readonly miniapp: Miniapp;
}

const longestMs = 31 * 86_400_000;
/** Minimum milliseconds between two probes of a URL. */
const probeEveryMs = 10_000;

/** Assesses whether an integration is ready, from the calls of the last 31 days and from the settings. */
export class AssessReadiness {
  constructor(private readonly deps: ReadinessDeps) {}

  /** Throws UnknownIntegration. */
  async execute(pair: IntegrationKey): Promise<Readiness> {
    const [found] = await this.assess([await this.parties(pair)]);
    if (!found) throw new UnknownIntegration();
    return found;
  }

  /** Assesses a page of integrations, in the order of their list. */
  async list(page: PageRequest, filter: Partial<IntegrationKey>): Promise<readonly Readiness[]> {
    const integrations = await this.deps.integrations.list(page, filter);
    const [hostApps, miniapps] = await Promise.all([
      this.deps.hostApps.listOf(distinct(integrations.map(({ clientId }) => clientId))),
      this.deps.miniapps.listOf(distinct(integrations.map(({ appId }) => appId))),
    ]);
    const all = integrations.flatMap((integrationRecord): Parties[] => {
      const hostApp = hostApps.find(({ id }) => id === integrationRecord.clientId);
      const miniapp = miniapps.find(({ id }) => id === integrationRecord.appId);
      // Skips integrations whose partner was removed meanwhile.
      return hostApp && miniapp ? [{ integrationRecord, hostApp, miniapp }] : [];
    });
    return this.assess(all);
  }

  /** Reads the facts of all integrations at once. */
  private async assess(all: readonly Parties[]): Promise<readonly Readiness[]> {
    const now = this.deps.clock.now();
    // Before both partners agree, neither may see the other's activity and settings.
    const decided = all.filter(({ integrationRecord }) => !isUndecided(integrationRecord));
    const ids = decided.map(({ integrationRecord }) => integrationRecord.id);
    const pairs = decided.map(({ integrationRecord: { clientId, appId } }) => ({ clientId, appId }));
    const [good, payments, probes, live] = await Promise.all([
      this.lastGood(pairs, now),
      this.deps.proofs.payments(ids, now - longestMs),
      this.deps.probes.list(pairs),
      this.deps.live.list(all.map(({ integrationRecord }) => integrationRecord.id)),
    ]);
    return all.map((parties) => {
      const { integrationRecord } = parties;
      const isLive = live.find(({ integrationId }) => integrationId === integrationRecord.id);
      if (isUndecided(integrationRecord)) return { integrationRecord, items: [agreed(integrationRecord)], percent: 0, live: isLive };
      const proofs = payments.find(({ integrationId }) => integrationId === integrationRecord.id);
      const items = checklistOf(inputOf(parties, { good, probes, proofs, now }));
      return { integrationRecord, items, percent: percentDone(items), live: isLive };
    });
  }

  /**
   * Probes every URL of both partners, each at most every ten seconds; none while the integration is only proposed. Throws
   * UnknownIntegration.
   */
  async probeUrls(pair: IntegrationKey): Promise<void> {
    const parties = await this.parties(pair);
    if (isUndecided(parties.integrationRecord)) return;
    const known = await this.deps.probes.list([pair]);
    const now = this.deps.clock.now();
    const isFresh = (url: string): boolean => known.some((probe) => probe.url === url && probe.at > now - probeEveryMs);
    const checks = neededUrls(parties, () => false).map(async ({ partnerKind, partnerId, endpoint, url }) => {
      if (url === undefined || isFresh(url)) return;
      const found = await this.deps.probe.probe(url);
      await this.deps.probes.keep({ partnerKind, partnerId, endpoint, url, at: now, ...found });
    });
    await Promise.all(checks);
  }

  private async parties(pair: IntegrationKey): Promise<Parties> {
    const integrationRecord = await this.deps.integrations.find(pair);
    const parties = integrationRecord && (await this.partiesOf(integrationRecord));
    if (!parties) throw new UnknownIntegration();
    return parties;
  }

  private async partiesOf(integrationRecord: IntegrationRecord): Promise<Parties | undefined> {
    const [hostApp, miniapp] = await Promise.all([
      this.deps.hostApps.find(integrationRecord.clientId),
      this.deps.miniapps.find(integrationRecord.appId),
    ]);
    return hostApp && miniapp && { integrationRecord, hostApp, miniapp };
  }

  /** The last successful exchange of each call of each pair. */
  private async lastGood(pairs: readonly IntegrationKey[], now: number): Promise<readonly Exchange[]> {
    if (pairs.length === 0) return [];
    const query = { ...slotted({ from: now - longestMs, to: now }, now), pairs, hasFailed: false };
    const sums = await this.deps.figures.sums(query, ['pair', 'call']);
    const calls = sums.map(({ clientId = '', appId = '', call = '', lastAt }) => ({ clientId, appId, call, at: lastAt }));
    return this.deps.proofs.calls(calls);
  }
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

interface Facts extends Pick<ReadinessInput, 'good' | 'probes' | 'now'> {
  readonly proofs: PaymentProofs | undefined;
}

/** Selects the facts about one integration. */
function inputOf({ integrationRecord, hostApp, miniapp }: Parties, { good, probes, proofs, now }: Facts): ReadinessInput {
  const { clientId, appId } = integrationRecord;
  const partner = { 'host-app': clientId, miniapp: appId };
  const { created, completed, noticed } = proofs ?? {};
  return {
    hostApp,
    miniapp,
    integrationRecord,
    good: good.filter((one) => one.clientId === clientId && one.appId === appId),
    created: created && { at: created.at, paymentId: created.id },
    completed: completed && { at: completed.at, paymentId: completed.id },
    noticed: noticed && { at: noticed.at, deliveryId: noticed.id },
    probes: probes.filter(({ partnerKind, partnerId }) => partner[partnerKind] === partnerId),
    now,
  };
}
