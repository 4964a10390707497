import type { AgreedSignature } from '../signing/agreed-signature';
import { legsOfDelivery, legsOfExchange } from './exchange-legs';
import type { ManageCalls } from '../manage-calls';
import type { ShownDelivery, ShownExchange } from '../manage-records';
import type { PageCalls } from './page-calls';
import type { PlaygroundLeg } from './playground-leg';
import { Recent } from '../partners/recent';

/** A delivery in the list of the manage API. */
type ListedDelivery = Omit<ShownDelivery, 'attempts'>;

/** One host app and some miniapps, each by its App ID and with its signature settings, if any. */
export interface ReadParties {
  readonly clientId: string;
  readonly apps: ReadonlyMap<string, AgreedSignature['algorithm'] | undefined>;
}

/** Maximum exchanges and deliveries that are shown; older ones are dropped. */
const shown = 100;

/** Reads the calls between the sandbox's partners from the service's records, as the operator, and adds the calls of their pages. */
export class LegReader {
  /** Creation time of the newest deliveries, as first read. */
  private readonly created = new Recent<string>();
  /** Times of the legs by the sandbox's clock. */
  private readonly times = new Recent<number>();
  private readonly attempts = new Recent<readonly PlaygroundLeg[]>();

  constructor(
    private readonly manage: Pick<ManageCalls, 'send'>,
    private readonly parties: ReadParties,
    private readonly pages: readonly Pick<PageCalls, 'since'>[],
    /** Milliseconds that time has been advanced. */
    private readonly aheadMs: () => number = () => 0,
  ) {}

  /**
   * All legs of exchanges and deliveries that began at `from` (milliseconds since the epoch) or later, oldest first. An exchange appears at
   * most a second after its end. Throws ManageCallFailed.
   */
  async since(from: number): Promise<PlaygroundLeg[]> {
    const { apps } = this.parties;
    const exchanges = (await this.read('exchanges', { from: new Date(from).toISOString() })) as ShownExchange[];
    const deliveries = (await this.read('deliveries')) as ListedDelivery[];
    const legs = this.pages.flatMap((page) => page.since(from));
    for (const exchange of exchanges) legs.push(...legsOfExchange(exchange, apps.get(exchange.app_id ?? '')));
    for (const delivery of deliveries) {
      // Advancing time moves the stored time of deliveries into the past, so the first value read is used.
      const created = this.created.get(delivery.id) ?? delivery.created_at;
      this.created.set(delivery.id, created);
      if (Date.parse(created) >= from) legs.push(...(await this.attemptsOf(delivery)));
    }
    return legs.map((leg) => this.timed(leg)).sort((a, b) => a.at - b.at || Number(a.of !== undefined) - Number(b.of !== undefined));
  }

  /**
   * Advancing time changes only the times of waiting work. Adding the advance to the time of a leg when it is first read puts all legs on
   * one clock.
   */
  private timed(leg: PlaygroundLeg): PlaygroundLeg {
    const at = this.times.get(leg.id) ?? leg.at + this.aheadMs();
    this.times.set(leg.id, at);
    return { ...leg, at };
  }

  /** The list does not contain attempts. The details of a delivery are read only when it has a new attempt. */
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

  /** Skips the host app's other miniapps. */
  private async read(list: string, filter: Readonly<Record<string, string>> = {}): Promise<{ readonly app_id?: string }[]> {
    const query = new URLSearchParams({ client_id: this.parties.clientId, limit: String(shown), ...filter });
    const { body } = await this.manage.send('GET', `${list}?${query.toString()}`, [200]);
    const { data } = body as { data: { readonly app_id?: string }[] }; // as above
    return data.filter(({ app_id: appId = '' }) => this.parties.apps.has(appId));
  }
}
