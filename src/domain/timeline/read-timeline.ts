import type { DeliveryRepository } from '../deliveries/ports';
import type { Exchange } from '../exchanges/exchange';
import type { ExchangeReader } from '../exchanges/ports';
import type { PaymentRecordRepository } from '../payments/payment-record-repository';
import type { Clock } from '../shared/ports';
import { timelineOf, type Timeline } from './timeline';

interface Deps {
  readonly exchanges: ExchangeReader;
  readonly payments: PaymentRecordRepository;
  readonly deliveries: DeliveryRepository;
  readonly clock: Clock;
}

/** Maximum number of calls in a timeline; a payment without a result is polled for days. */
const maxCalls = 200;

/** Reads all calls of one sign-on, payment or event, from any of its records. */
export class ReadTimeline {
  constructor(private readonly deps: Deps) {}

  /** Resolves to `undefined` for an unknown id. */
  execute(kind: Timeline['kind'], id: string): Promise<Timeline | undefined> {
    return kind === 'exchange' ? this.timelineOfCall(id) : this.timelineOfRecord(kind, id);
  }

  private async timelineOfCall(id: string): Promise<Timeline | undefined> {
    const { exchanges, clock } = this.deps;
    const found = await exchanges.find(id);
    if (!found) return undefined;
    const alike = await exchanges.list({ requestId: found.requestId, ...pairOf(found) }, { limit: maxCalls });
    const { calls, ...whole } = found.partOf === undefined ? { calls: [] } : await this.wholeOf(found.partOf);
    const { clientId, appId } = found;
    return timelineOf({ kind: 'exchange', id, clientId, appId, ...whole, calls: inOrder([found, ...alike, ...calls]), now: clock.now() });
  }

  private async timelineOfRecord(kind: Timeline['kind'], id: string): Promise<Timeline | undefined> {
    const { calls, ...whole } = await this.wholeOf(id);
    const owner = kind === 'payment' ? whole.payment : whole.delivery;
    if (!owner) return undefined;
    const { clientId, appId } = owner.pair ?? {};
    return timelineOf({ kind, id, clientId, appId, ...whole, calls: inOrder(calls), now: this.deps.clock.now() });
  }

  /** A payment and its completion have the same id, and so have an event and its delivery. */
  private async wholeOf(id: string): Promise<Pick<Timeline, 'payment' | 'delivery' | 'calls'>> {
    const { exchanges, payments, deliveries } = this.deps;
    const calls = await exchanges.list({ partOf: id }, { limit: maxCalls });
    return { calls, payment: await payments.find(id), delivery: await deliveries.find(id) };
  }
}

const pairOf = ({ clientId, appId }: Exchange) => ({ ...(clientId !== undefined && { clientId }), ...(appId !== undefined && { appId }) });

/** Oldest first, without repeats. */
function inOrder(calls: readonly Exchange[]): Exchange[] {
  const each = new Map(calls.map((call) => [call.id, call]));
  return [...each.values()].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}
