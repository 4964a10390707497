import { legsOfDelivery, legsOfExchange } from './exchange-legs';
import type { ManageCalls } from './manage-calls';
import type { ShownDelivery, ShownExchange } from './manage-records';
import type { PlaygroundLeg } from './playground-leg';

/** How many exchanges and deliveries are shown; older ones fall out. */
const shown = 100;

/** Reads what happened between the sandbox's two partners out of the service's own records, as the operator. */
export class LegReader {
  private readonly ended = new Map<string, readonly PlaygroundLeg[]>();

  constructor(
    private readonly manage: ManageCalls,
    private readonly pair: { readonly clientId: string; readonly appId: string },
  ) {}

  /**
   * All legs of what began at `from` (milliseconds since the epoch) or later, oldest first. An exchange is there a second after
   * its end at the latest. Throws ManageCallFailed.
   */
  async since(from: number): Promise<PlaygroundLeg[]> {
    const query = new URLSearchParams({
      client_id: this.pair.clientId,
      app_id: this.pair.appId,
      from: new Date(from).toISOString(),
      limit: String(shown),
    }).toString();
    const exchanges = (await this.read(`exchanges?${query}`)) as ShownExchange[];
    const deliveries = (await this.read(`deliveries?${query}`)) as Omit<ShownDelivery, 'attempts'>[];
    const legs = exchanges.flatMap(legsOfExchange);
    for (const delivery of deliveries) legs.push(...(await this.attemptsOf(delivery)));
    return legs.sort((a, b) => a.at - b.at || Number(a.of !== undefined) - Number(b.of !== undefined));
  }

  /** The list does not hold the attempts; each delivery is asked for only when it has made a new one. */
  private async attemptsOf({ id, state, attempt_count: count }: Omit<ShownDelivery, 'attempts'>): Promise<readonly PlaygroundLeg[]> {
    if (count === 0) return [];
    const version = `${id}/${state}/${count}`;
    const known = this.ended.get(version);
    if (known) return known;
    const { body } = await this.manage.send('GET', `deliveries/${id}`, [200]);
    const legs = legsOfDelivery(body as ShownDelivery); // the manage API of our own service
    if (this.ended.size >= 10 * shown) this.ended.clear();
    this.ended.set(version, legs);
    return legs;
  }

  private async read(path: string): Promise<unknown[]> {
    const { body } = await this.manage.send('GET', path, [200]);
    return (body as { data: unknown[] }).data; // as above
  }
}
