import { ExchangeTrace, type Relay } from '../../src/domain/exchanges/exchange';
import type { Clock } from '../../src/domain/shared/ports';

/** A relay with ten seconds to go. */
export const aRelay = (clock: Clock): Relay & { readonly trace: ExchangeTrace } => ({
  requestId: 'req-1',
  deadline: clock.now() + 10_000,
  trace: new ExchangeTrace(),
});
