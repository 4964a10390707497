import type { Exchange } from '../../../domain/exchanges/exchange';
import type { ExchangeLog } from '../../../domain/exchanges/ports';

/** Tells others of each record before it goes on to where it is kept. */
export class HeardExchangeLog implements ExchangeLog {
  constructor(private readonly deps: { log: ExchangeLog; hear: (exchange: Exchange) => void }) {}

  append(exchange: Exchange): void {
    this.deps.hear(exchange);
    this.deps.log.append(exchange);
  }
}
