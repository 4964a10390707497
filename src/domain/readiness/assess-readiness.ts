import type { Exchange } from '../exchanges/exchange';
import { outcomeOf } from '../figures/outcome';
import type { Figures } from '../figures/ports';
import { slotted } from '../figures/slots';
import type { HostApp } from '../partners/host-app';
import type { Agreement } from '../partners/integration';
import type { Miniapp } from '../partners/miniapp';
import type { AgreementKey, AgreementRepository, HostAppRepository, MiniappRepository, PageRequest } from '../partners/ports';
import { isUndecided } from '../partners/proposal';
import { UnknownAgreement } from '../partners/registry-errors';
import { grouped } from '../shared/grouped';
import type { Clock } from '../shared/ports';
import { agreed, checklistOf, type ChecklistItem, percentDone, type ReadinessFacts } from './checklist';
import { neededUrls } from './needed-urls';
import type { EndpointProbe, Live, LiveBook, PaymentProofs, Probe, ProbeBook, ProofBook } from './ports';

export interface ReadinessDeps {
  readonly hostApps: Pick<HostAppRepository, 'find' | 'listOf'>;
  readonly miniapps: Pick<MiniappRepository, 'find' | 'listOf'>;
  readonly agreements: Pick<AgreementRepository, 'find' | 'list'>;
  readonly figures: Figures;
  readonly proofs: ProofBook;
  readonly probes: ProbeBook;
  readonly probe: EndpointProbe;
  readonly live: LiveBook;
  readonly clock: Clock;
}

export interface Readiness {
  readonly agreement: Agreement;
  readonly items: readonly ChecklistItem[];
  /** How much of what applies is done, in whole percent. */
  readonly percent: number;
  /** Absent: the integration is in test. */
  readonly live?: Live | undefined;
}

interface Parties {
  readonly agreement: Agreement;
  readonly hostApp: HostApp;
  readonly miniapp: Miniapp;
}

const longestMs = 31 * 86_400_000;
/** A URL is probed again so much later at the earliest, in milliseconds. */
const probeEveryMs = 10_000;

/** Says how ready an integration is, from the calls of the last 31 days and from the settings. */
export class AssessReadiness {
  constructor(private readonly deps: ReadinessDeps) {}

  /** Throws UnknownAgreement. */
  async execute(pair: AgreementKey): Promise<Readiness> {
    const [found] = await this.assess([await this.parties(pair)]);
    if (!found) throw new UnknownAgreement();
    return found;
  }

  /** Of a page of integrations, in the order of their list. */
  async list(page: PageRequest, filter: Partial<AgreementKey>): Promise<readonly Readiness[]> {
    const agreements = await this.deps.agreements.list(page, filter);
    const [hostApps, miniapps] = await Promise.all([
      this.deps.hostApps.listOf(distinct(agreements.map(({ clientId }) => clientId))),
      this.deps.miniapps.listOf(distinct(agreements.map(({ appId }) => appId))),
    ]);
    const all = agreements.flatMap((agreement): Parties[] => {
      const hostApp = hostApps.find(({ id }) => id === agreement.clientId);
      const miniapp = miniapps.find(({ id }) => id === agreement.appId);
      // One that was removed since has nothing to tell.
      return hostApp && miniapp ? [{ agreement, hostApp, miniapp }] : [];
    });
    return this.assess(all);
  }

  /** Reads the facts of all of them at once. */
  private async assess(all: readonly Parties[]): Promise<readonly Readiness[]> {
    const now = this.deps.clock.now();
    // What one side has done and set is no business of the other before both agree.
    const decided = all.filter(({ agreement }) => !isUndecided(agreement));
    const ids = decided.map(({ agreement }) => agreement.id);
    const pairs = decided.map(({ agreement: { clientId, appId } }) => ({ clientId, appId }));
    const [good, payments, probes, live] = await Promise.all([
      this.lastGood(pairs, now),
      this.deps.proofs.payments(ids, now - longestMs),
      this.deps.probes.list(pairs),
      this.deps.live.list(all.map(({ agreement }) => agreement.id)),
    ]);
    return all.map((parties) => {
      const { agreement } = parties;
      const isLive = live.find(({ integrationId }) => integrationId === agreement.id);
      if (isUndecided(agreement)) return { agreement, items: [agreed(agreement)], percent: 0, live: isLive };
      const proofs = payments.find(({ integrationId }) => integrationId === agreement.id);
      const items = checklistOf({ ...parties, ...own(parties, { good, probes }), ...shown(proofs), now });
      return { agreement, items, percent: percentDone(items), live: isLive };
    });
  }

  /** Looks at every URL of both partners, each one every ten seconds at most; at none while one of them only proposes. Throws UnknownAgreement. */
  async look(pair: AgreementKey): Promise<void> {
    const parties = await this.parties(pair);
    if (isUndecided(parties.agreement)) return;
    const known = await this.deps.probes.list([pair]);
    const now = this.deps.clock.now();
    const isFresh = (url: string): boolean => known.some((probe) => probe.url === url && probe.at > now - probeEveryMs);
    const looks = neededUrls(parties, () => false).map(async ({ partnerKind, partnerId, endpoint, url }) => {
      if (url === undefined || isFresh(url)) return;
      const found = await this.deps.probe.probe(url);
      await this.deps.probes.keep({ partnerKind, partnerId, endpoint, url, at: now, ...found });
    });
    await Promise.all(looks);
  }

  private async parties(pair: AgreementKey): Promise<Parties> {
    const agreement = await this.deps.agreements.find(pair);
    const parties = agreement && (await this.partiesOf(agreement));
    if (!parties) throw new UnknownAgreement();
    return parties;
  }

  private async partiesOf(agreement: Agreement): Promise<Parties | undefined> {
    const [hostApp, miniapp] = await Promise.all([this.deps.hostApps.find(agreement.clientId), this.deps.miniapps.find(agreement.appId)]);
    return hostApp && miniapp && { agreement, hostApp, miniapp };
  }

  /** The last exchange of each call of each pair that went well. */
  private async lastGood(pairs: readonly AgreementKey[], now: number): Promise<readonly Exchange[]> {
    if (pairs.length === 0) return [];
    const query = slotted({ from: now - longestMs, to: now }, now);
    const sums = await this.deps.figures.sums({ ...query, pairs }, ['pair', 'call', 'ending']);
    const good = sums.filter((sum) => outcomeOf(sum) === 'ok');
    const calls = [...grouped(good, ({ clientId = '', appId = '', call = '' }) => `${clientId}/${appId}/${call}`).values()].map((own) => {
      const { clientId = '', appId = '', call = '' } = own[0]!;
      return { clientId, appId, call, at: Math.max(...own.map(({ lastAt }) => lastAt)) };
    });
    return this.deps.proofs.calls(calls);
  }
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

/** What of all belongs to one integration. */
function own(
  { agreement: { clientId, appId } }: Parties,
  { good, probes }: { readonly good: readonly Exchange[]; readonly probes: readonly Probe[] },
): Pick<ReadinessFacts, 'good' | 'probes'> {
  const partner = { 'host-app': clientId, miniapp: appId };
  return {
    good: good.filter((one) => one.clientId === clientId && one.appId === appId),
    probes: probes.filter(({ partnerKind, partnerId }) => partner[partnerKind] === partnerId),
  };
}

const shown = ({ created, completed, noticed }: Partial<PaymentProofs> = {}): Pick<
  ReadinessFacts,
  'created' | 'completed' | 'noticed'
> => ({
  created: created && { at: created.at, paymentId: created.id },
  completed: completed && { at: completed.at, paymentId: completed.id },
  noticed: noticed && { at: noticed.at, deliveryId: noticed.id },
});
