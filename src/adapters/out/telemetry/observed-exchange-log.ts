import type { Exchange } from '../../../domain/exchanges/exchange';
import type { ExchangeLog } from '../../../domain/exchanges/ports';

/** Calls an observer with each record, then appends the record to the log. */
export class ObservedExchangeLog implements ExchangeLog {
  constructor(private readonly deps: { log: ExchangeLog; observe: (exchange: Exchange) => void }) {}

  append(exchange: Exchange): void {
    this.deps.observe(exchange);
    this.deps.log.append(exchange);
  }
}
