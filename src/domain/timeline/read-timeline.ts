import type { DeliveryBook } from '../deliveries/ports';
import type { Exchange } from '../exchanges/exchange';
import type { ExchangeReader } from '../exchanges/ports';
import type { PaymentBook } from '../payments/payment-book';
import type { Clock } from '../shared/ports';
import { timelineOf, type Timeline } from './timeline';

interface Deps {
  readonly exchanges: ExchangeReader;
  readonly payments: PaymentBook;
  readonly deliveries: DeliveryBook;
  readonly clock: Clock;
}

/** Calls of one timeline; a payment that nobody ends is asked about for days. */
const callsAtMost = 200;

/** What belongs to one sign-on, payment or event, seen from any of its parts. */
export class ReadTimeline {
  constructor(private readonly deps: Deps) {}

  /** `undefined`: there is no such thing. */
  execute(kind: Timeline['kind'], id: string): Promise<Timeline | undefined> {
    return kind === 'exchange' ? this.aroundCall(id) : this.around(kind, id);
  }

  private async aroundCall(id: string): Promise<Timeline | undefined> {
    const { exchanges, clock } = this.deps;
    const asked = await exchanges.find(id);
    if (!asked) return undefined;
    const alike = await exchanges.list({ requestId: asked.requestId, ...pairOf(asked) }, { limit: callsAtMost });
    const { calls, ...whole } = asked.partOf === undefined ? { calls: [] } : await this.wholeOf(asked.partOf);
    const { clientId, appId } = asked;
    return timelineOf({ kind: 'exchange', id, clientId, appId, ...whole, calls: inOrder([asked, ...alike, ...calls]), now: clock.now() });
  }

  private async around(kind: Timeline['kind'], id: string): Promise<Timeline | undefined> {
    const { calls, ...whole } = await this.wholeOf(id);
    const owner = kind === 'payment' ? whole.payment : whole.delivery;
    if (!owner) return undefined;
    const { clientId, appId } = owner.pair ?? {};
    return timelineOf({ kind, id, clientId, appId, ...whole, calls: inOrder(calls), now: this.deps.clock.now() });
  }

  /** A payment and its completion have one id, so have an event and its delivery. */
  private async wholeOf(id: string): Promise<Pick<Timeline, 'payment' | 'delivery' | 'calls'>> {
    const { exchanges, payments, deliveries } = this.deps;
    const calls = await exchanges.list({ partOf: id }, { limit: callsAtMost });
    return { calls, payment: await payments.find(id), delivery: await deliveries.find(id) };
  }
}

const pairOf = ({ clientId, appId }: Exchange) => ({ ...(clientId !== undefined && { clientId }), ...(appId !== undefined && { appId }) });

/** Oldest first, each once. */
function inOrder(calls: readonly Exchange[]): Exchange[] {
  const each = new Map(calls.map((call) => [call.id, call]));
  return [...each.values()].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}
