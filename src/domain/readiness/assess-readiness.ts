import type { DeliveryBook } from '../deliveries/ports';
import type { Exchange } from '../exchanges/exchange';
import type { ExchangeReader } from '../exchanges/ports';
import { outcomeOf } from '../figures/outcome';
import type { Figures, Sum } from '../figures/ports';
import { slotted } from '../figures/slots';
import type { HostApp } from '../partners/host-app';
import type { Agreement } from '../partners/integration';
import type { Miniapp } from '../partners/miniapp';
import type { AgreementKey, AgreementRepository, HostAppRepository, MiniappRepository, PageRequest } from '../partners/ports';
import { isUndecided } from '../partners/proposal';
import { UnknownAgreement } from '../partners/registry-errors';
import type { PaymentBook } from '../payments/payment-book';
import { grouped } from '../shared/grouped';
import type { Clock } from '../shared/ports';
import { agreed, checklistOf, type ChecklistItem, percentDone } from './checklist';
import { neededUrls } from './needed-urls';
import type { EndpointProbe, Live, LiveBook, ProbeBook } from './ports';

export interface ReadinessDeps {
  readonly hostApps: Pick<HostAppRepository, 'find'>;
  readonly miniapps: Pick<MiniappRepository, 'find'>;
  readonly agreements: Pick<AgreementRepository, 'find' | 'list'>;
  readonly figures: Figures;
  readonly exchanges: Pick<ExchangeReader, 'list'>;
  readonly payments: Pick<PaymentBook, 'list'>;
  readonly deliveries: Pick<DeliveryBook, 'list'>;
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
/** A URL is looked at again so much later at the earliest, in milliseconds. */
const probeEveryMs = 10_000;

/** Says how ready an integration is, from what happened in the last 31 days and from what is set. */
export class AssessReadiness {
  constructor(private readonly deps: ReadinessDeps) {}

  /** Throws UnknownAgreement. */
  async execute(pair: AgreementKey): Promise<Readiness> {
    const parties = await this.parties(pair);
    const now = this.deps.clock.now();
    const [endings, live] = await Promise.all([this.goodCalls(pair, now), this.deps.live.find(parties.agreement.id)]);
    return this.assess(parties, { endings, live, now });
  }

  /** Of a page of integrations, in the order of their list. */
  async list(page: PageRequest, filter: Partial<AgreementKey>): Promise<readonly Readiness[]> {
    const now = this.deps.clock.now();
    const agreements = await this.deps.agreements.list(page, filter);
    const live = await this.deps.live.list();
    const found: Readiness[] = [];
    for (const agreement of agreements) {
      const { id, clientId, appId } = agreement;
      // One after the other: a page of them leaves room for calls.
      const parties = await this.parties(agreement);
      const endings = await this.goodCalls({ clientId, appId }, now);
      found.push(await this.assess(parties, { endings, live: live.find(({ integrationId }) => integrationId === id), now }));
    }
    return found;
  }

  private async assess(
    { agreement, hostApp, miniapp }: Parties,
    { endings, live, now }: { readonly endings: readonly Sum[]; readonly live: Live | undefined; readonly now: number },
  ): Promise<Readiness> {
    // What one side has done and set is no business of the other before both agree.
    if (isUndecided(agreement)) return { agreement, items: [agreed(agreement)], percent: 0 };
    const pair = { clientId: hostApp.id, appId: miniapp.id };
    const since = { ...pair, from: now - longestMs };
    const [good, [created], [completed], [noticed], probes] = await Promise.all([
      this.lastGood(pair, endings),
      this.deps.payments.list({ ...since, creation: 'opened' }, { limit: 1 }),
      this.deps.payments.list({ ...since, status: 'paid' }, { limit: 1 }),
      this.deps.deliveries.list({ ...since, kind: 'completion', state: 'delivered' }, { limit: 1 }),
      this.deps.probes.list(pair),
    ]);
    const items = checklistOf({
      ...{ hostApp, miniapp, agreement, good, probes, now },
      created: created && { at: created.createdAt, paymentId: created.id },
      completed: completed && { at: completed.settledAt ?? completed.createdAt, paymentId: completed.id },
      noticed: noticed && { at: noticed.endedAt ?? noticed.createdAt, deliveryId: noticed.id },
    });
    return { agreement, items, percent: percentDone(items), live };
  }

  /** Looks at every URL of both partners, each one every ten seconds at most; at none while one of them only proposes. Throws UnknownAgreement. */
  async look(pair: AgreementKey): Promise<void> {
    const parties = await this.parties(pair);
    if (isUndecided(parties.agreement)) return;
    const known = await this.deps.probes.list(pair);
    const now = this.deps.clock.now();
    const isFresh = (url: string): boolean => known.some((probe) => probe.url === url && probe.at > now - probeEveryMs);
    const looks = neededUrls(parties, () => false).map(async ({ partnerKind, partnerId, endpoint, url }) => {
      if (url === undefined || isFresh(url)) return;
      const found = await this.deps.probe.probe(url);
      await this.deps.probes.keep({ partnerKind, partnerId, endpoint, url, at: now, ...found });
    });
    await Promise.all(looks);
  }

  private async parties({ clientId, appId }: AgreementKey): Promise<Parties> {
    const [agreement, hostApp, miniapp] = await Promise.all([
      this.deps.agreements.find({ clientId, appId }),
      this.deps.hostApps.find(clientId),
      this.deps.miniapps.find(appId),
    ]);
    if (!agreement || !hostApp || !miniapp) throw new UnknownAgreement();
    return { agreement, hostApp, miniapp };
  }

  private async goodCalls(whose: AgreementKey, now: number): Promise<readonly Sum[]> {
    const query = slotted({ ...whose, from: now - longestMs, to: now }, now);
    return (await this.deps.figures.sums(query, ['pair', 'call', 'ending'])).filter((sum) => outcomeOf(sum) === 'ok');
  }

  private async lastGood(pair: AgreementKey, endings: readonly Sum[]): Promise<readonly Exchange[]> {
    const found = [...grouped(endings, ({ call = '' }) => call).entries()].map(async ([call, sums]) => {
      const at = Math.max(...sums.map(({ lastAt }) => lastAt));
      const records = await this.deps.exchanges.list({ ...pair, call, from: at, to: at + 1 }, { limit: 10 });
      return records.filter(({ status }) => status < 400).slice(0, 1);
    });
    return (await Promise.all(found)).flat();
  }
}
