import type { Exchange } from '../../../../domain/exchanges/exchange';
import type { ExchangeLog } from '../../../../domain/exchanges/ports';

/** Exchange records in memory, oldest first. */
export class MemoryExchangeLog implements ExchangeLog {
  readonly exchanges: Exchange[] = [];

  append(exchange: Exchange): void {
    this.exchanges.push(exchange);
  }
}
