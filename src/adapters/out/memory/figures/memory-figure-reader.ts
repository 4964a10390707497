import type { Exchange } from '../../../../domain/exchanges/exchange';
import { tally } from '../../../../domain/figures/added-up';
import { stepOf } from '../../../../domain/figures/durations';
import { outcomeOf, outcomes } from '../../../../domain/figures/outcome';
import type {
  Division,
  DurationCount,
  FigureQuery,
  FigureReader,
  PairOrder,
  RankedPair,
  RankedPairs,
  Sum,
} from '../../../../domain/figures/ports';
import type { PageRequest } from '../../../../domain/partners/ports';
import { grouped } from '../../../../domain/shared/grouped';
import { sortKey } from '../integrations/memory-integration-repository';
import { pairName } from '../../../../domain/partners/integrations/pair-name';

/** Statistics of the exchanges in memory. */
export class MemoryFigureReader implements FigureReader {
  constructor(private readonly log: { readonly exchanges: readonly Exchange[] }) {}

  async sums(query: FigureQuery, by: readonly Division[]): Promise<readonly Sum[]> {
    const singles = this.within(query).map((exchange) => ({ key: keyOf(exchange, query, by), exchange }));
    return [...grouped(singles, ({ key }) => JSON.stringify(key)).values()].map((own) => ({
      ...own[0]!.key,
      ...added(own.map(({ exchange }) => exchange)),
    }));
  }

  async durations(query: FigureQuery, by: readonly Extract<Division, 'time' | 'pair'>[]): Promise<readonly DurationCount[]> {
    const singles = this.within(query).map((exchange) => ({ ...keyOf(exchange, query, by), step: stepOf(exchange.ms) }));
    return [...grouped(singles, (key) => JSON.stringify(key)).values()].map((own) => ({ ...own[0]!, count: own.length }));
  }

  async ranking(query: FigureQuery, order: PairOrder, { limit, after }: PageRequest): Promise<RankedPairs> {
    const ofPairs = this.within(query).filter(({ clientId, appId }) => clientId !== undefined && appId !== undefined);
    const exchanges = grouped(ofPairs, pairName);
    const rows = [...exchanges.entries()].map(([name, own]) => ({ name, rank: -rankOf[order](own) })).sort(byRank);
    const last = order === 'id' && after !== undefined ? { name: after, rank: 0 } : rows.find(({ name }) => name === after);
    const behind = after === undefined ? rows : rows.filter((row) => last !== undefined && byRank(row, last) > 0);
    return { pairs: behind.slice(0, limit).map(({ name }) => rankedPair(query, name, exchanges.get(name) ?? [])), total: rows.length };
  }

  private within({ from, to, clientId, appId, call, pairs, hasFailed }: FigureQuery): Exchange[] {
    const fits = (wanted: string | undefined, found: string | undefined): boolean => wanted === undefined || wanted === found;
    return this.log.exchanges.filter(
      (one) =>
        one.at >= from &&
        one.at < to &&
        fits(clientId, one.clientId) &&
        fits(appId, one.appId) &&
        fits(call, one.call) &&
        (hasFailed === undefined || hasFailed === (outcomeOf(one) !== 'ok')) &&
        (pairs?.some((pair) => pair.clientId === one.clientId && pair.appId === one.appId) ?? true),
    );
  }
}

function rankedPair(query: FigureQuery, name: string, exchanges: readonly Exchange[]): RankedPair {
  const [clientId = '', appId = ''] = name.split('/');
  const bySlot = grouped(exchanges, ({ at }) => slotOf(at, query));
  const slots = [...bySlot].map(([slot, own]) => ({
    slot,
    ...tally(
      outcomes,
      own.map((one) => ({ ...one, count: 1 })),
      outcomeOf,
    ),
  }));
  const durations = [...grouped(exchanges, ({ ms }) => stepOf(ms))].map(([step, { length: count }]) => ({ step, count }));
  return { clientId, appId, sum: added(exchanges), slots, durations };
}

const slotOf = (at: number, { from, slotS }: FigureQuery): number => from + Math.floor((at - from) / (slotS * 1000)) * slotS * 1000;

const rankOf: Readonly<Record<PairOrder, (exchanges: readonly Exchange[]) => number>> = {
  traffic: ({ length }) => length,
  failures: (exchanges) => exchanges.filter((one) => outcomeOf(one) !== 'ok').length,
  id: () => 0,
};

interface Ranked {
  readonly name: string;
  /** Lower ranks come first. */
  readonly rank: number;
}

const byRank = (a: Ranked, b: Ranked): number =>
  a.rank - b.rank || (sortKey(a.name) < sortKey(b.name) ? -1 : sortKey(a.name) > sortKey(b.name) ? 1 : 0);

function keyOf(exchange: Exchange, query: FigureQuery, by: readonly Division[]): Omit<Sum, keyof ReturnType<typeof added>> {
  const { at, clientId, appId, call, status, errorCode, failedSide, failedStep } = exchange;
  return {
    ...(by.includes('time') && { slot: slotOf(at, query) }),
    ...(by.includes('pair') && { clientId, appId }),
    ...(by.includes('call') && { call }),
    ...(by.includes('ending') && { status, errorCode, failedSide, failedStep }),
  };
}

function added(exchanges: readonly Exchange[]) {
  const times = exchanges.map(({ at }) => at);
  const sum = (part: (exchange: Exchange) => number): number => exchanges.reduce((all, one) => all + Math.round(part(one)), 0);
  const spentAt = (to: string) => (exchange: Exchange) => exchange.legs.reduce((all, leg) => all + (leg.to === to ? leg.ms : 0), 0);
  return {
    count: exchanges.length,
    ms: sum(({ ms }) => ms),
    hostAppMs: sum(spentAt('hostapp')),
    miniappMs: sum(spentAt('miniapp')),
    firstAt: Math.min(...times),
    lastAt: Math.max(...times),
  };
}
