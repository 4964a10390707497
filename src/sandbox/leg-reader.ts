import type { AgreedSignature } from './agreed-signature';
import { legsOfDelivery, legsOfExchange } from './exchange-legs';
import type { ManageCalls } from './manage-calls';
import type { ShownDelivery, ShownExchange } from './manage-records';
import type { PageCalls } from './page-calls';
import type { PlaygroundLeg } from './playground-leg';
import { Recent } from './recent';

/** A delivery as the list of them shows it. */
type ListedDelivery = Omit<ShownDelivery, 'attempts'>;

/** Between whom: one host app and some miniapps, each by its App ID and with what signs between it and the service, where anything does. */
export interface ReadParties {
  readonly clientId: string;
  readonly apps: ReadonlyMap<string, AgreedSignature['algorithm'] | undefined>;
}

/** How many exchanges and deliveries are shown; older ones fall out. */
const shown = 100;

/** Reads what happened between the sandbox's partners out of the service's own records, as the operator, and what their pages asked them. */
export class LegReader {
  /** When each delivery was created, as it was first heard; the newest of them. */
  private readonly created = new Recent<string>();
  /** By the time of the sandbox's clock. */
  private readonly times = new Recent<number>();
  private readonly attempts = new Recent<readonly PlaygroundLeg[]>();

  constructor(
    private readonly manage: Pick<ManageCalls, 'send'>,
    private readonly parties: ReadParties,
    private readonly pages: readonly Pick<PageCalls, 'since'>[],
    /** How far time has been let pass, in milliseconds. */
    private readonly aheadMs: () => number = () => 0,
  ) {}

  /**
   * All legs of what began at `from` (milliseconds since the epoch) or later, oldest first. An exchange is there a second after
   * its end at the latest. Throws ManageCallFailed.
   */
  async since(from: number): Promise<PlaygroundLeg[]> {
    const { apps } = this.parties;
    const exchanges = (await this.read('exchanges', { from: new Date(from).toISOString() })) as ShownExchange[];
    const deliveries = (await this.read('deliveries')) as ListedDelivery[];
    const legs = this.pages.flatMap((page) => page.since(from));
    for (const exchange of exchanges) legs.push(...legsOfExchange(exchange, apps.get(exchange.app_id ?? '')));
    for (const delivery of deliveries) {
      // Time that is let pass moves deliveries into the past: the first answer counts.
      const created = this.created.get(delivery.id) ?? delivery.created_at;
      this.created.set(delivery.id, created);
      if (Date.parse(created) >= from) legs.push(...(await this.attemptsOf(delivery)));
    }
    return legs.map((leg) => this.timed(leg)).sort((a, b) => a.at - b.at || Number(a.of !== undefined) - Number(b.of !== undefined));
  }

  /**
   * Time that is let pass is taken off what waits, and nothing else is moved: with as much added, all are of one clock. The first
   * look at a leg decides.
   */
  private timed(leg: PlaygroundLeg): PlaygroundLeg {
    const at = this.times.get(leg.id) ?? leg.at + this.aheadMs();
    this.times.set(leg.id, at);
    return { ...leg, at };
  }

  /** The list does not hold the attempts; each delivery is asked for only when it has made a new one. */
  private async attemptsOf({ id, app_id: appId = '', state, attempt_count: count }: ListedDelivery): Promise<readonly PlaygroundLeg[]> {
    if (count === 0) return [];
    const version = `${id}/${state}/${count}`;
    const known = this.attempts.get(version);
    if (known) return known;
    const { body } = await this.manage.send('GET', `deliveries/${encodeURIComponent(id)}`, [200]);
    const legs = legsOfDelivery(body as ShownDelivery, this.parties.apps.get(appId)); // the manage API of our own service
    this.attempts.set(version, legs);
    return legs;
  }

  /** What else the host app's miniapps do is not shown. */
  private async read(list: string, filter: Readonly<Record<string, string>> = {}): Promise<{ readonly app_id?: string }[]> {
    const query = new URLSearchParams({ client_id: this.parties.clientId, limit: String(shown), ...filter });
    const { body } = await this.manage.send('GET', `${list}?${query.toString()}`, [200]);
    const { data } = body as { data: { readonly app_id?: string }[] }; // as above
    return data.filter(({ app_id: appId = '' }) => this.parties.apps.has(appId));
  }
}
