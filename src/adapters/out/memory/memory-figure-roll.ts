import type { FigureRoll } from '../../../domain/figures/ports';

/** In memory exchanges are counted when somebody asks: nothing is summed ahead. */
export class MemoryFigureRoll implements FigureRoll {
  async advance(): Promise<boolean> {
    return false;
  }
}
