import type { FigureRollupStore } from '../../../../domain/figures/ports';

/** In memory, exchanges are counted on each query, so there is nothing to sum. */
export class MemoryFigureRollupStore implements FigureRollupStore {
  async advance(): Promise<boolean> {
    return false;
  }
}
