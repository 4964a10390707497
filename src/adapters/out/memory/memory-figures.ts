import type { Exchange } from '../../../domain/exchanges/exchange';
import { stepOf } from '../../../domain/figures/durations';
import type { Division, DurationCount, FigureQuery, Figures, Sum } from '../../../domain/figures/ports';
import { floorTo } from '../../../domain/figures/slots';
import { grouped } from '../../../domain/shared/grouped';

/** Figures of the exchanges that are in memory. */
export class MemoryFigures implements Figures {
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

  private within({ from, to, clientId, appId, call }: FigureQuery): Exchange[] {
    const fits = (wanted: string | undefined, found: string | undefined): boolean => wanted === undefined || wanted === found;
    return this.log.exchanges.filter(
      (one) => one.at >= from && one.at < to && fits(clientId, one.clientId) && fits(appId, one.appId) && fits(call, one.call),
    );
  }
}

function keyOf(exchange: Exchange, { slotS }: FigureQuery, by: readonly Division[]): Omit<Sum, keyof ReturnType<typeof added>> {
  const { at, clientId, appId, call, status, errorCode, failedSide, failedStep } = exchange;
  return {
    ...(by.includes('time') && { slot: floorTo(at, slotS) }),
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
