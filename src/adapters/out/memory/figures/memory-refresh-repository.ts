import type { FigureQuery } from '../../../../domain/figures/ports';
import {
  RefreshTally,
  type RefreshCount,
  type RefreshFigureReader,
  type RefreshLog,
  type TokenRefresh,
} from '../../../../domain/figures/refreshes';
import { floorTo } from '../../../../domain/figures/slots';
import { grouped } from '../../../../domain/shared/grouped';
import type { Clock } from '../../../../domain/shared/ports';

/** Counts of token refreshes in memory, for as long as the process runs. */
export class MemoryRefreshRepository implements RefreshLog, RefreshFigureReader {
  private readonly tally = new RefreshTally();

  constructor(private readonly clock: Clock) {}

  refreshed(refresh: TokenRefresh): void {
    this.tally.refreshed(refresh, this.clock.now());
  }

  async refreshes({
    from,
    to,
    slotS,
    clientId,
  }: Pick<FigureQuery, 'from' | 'to' | 'slotS' | 'clientId'>): Promise<readonly RefreshCount[]> {
    const rows = this.tally.drain();
    this.tally.restore(rows);
    const found = rows
      .filter((row) => row.minute >= from && row.minute < to && (clientId === undefined || clientId === row.clientId))
      .map(({ minute, token, outcome, count }) => ({ slot: floorTo(minute, slotS), token, outcome, count }));
    return [...grouped(found, ({ slot, token, outcome }) => JSON.stringify([slot, token, outcome])).values()].map((alike) => ({
      ...alike[0]!,
      count: alike.reduce((sum, { count }) => sum + count, 0),
    }));
  }
}
