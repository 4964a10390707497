import type { Exchange } from '../../../src/domain/exchanges/exchange';
import type { FigureRollupStore, FigureReader } from '../../../src/domain/figures/ports';
import { anExchange } from '../exchanges/exchange-log.contract';
import { figuresBegin, figuresQuery, fourHours } from './figures.contract';

export interface FigureRollupStoreHarness {
  readonly rollup: FigureRollupStore;
  readonly figures: FigureReader;
  /** Keeps the exchanges, so that they can be summed. */
  write(exchanges: readonly Exchange[]): Promise<void>;
}

const minuteMs = 60_000;

/** Summing ahead comes to an end, and changes no count. */
export function figureRollupStoreContract(name: string, open: () => Promise<FigureRollupStoreHarness>): void {
  describe(`FigureRollupStore: ${name}`, () => {
    let harness: FigureRollupStoreHarness;
    beforeEach(async () => {
      harness = await open();
      await harness.write(fourHours());
    });
    const total = async () => (await harness.figures.sums(figuresQuery(), []))[0]?.count;
    const rollUpTo = async (minutes: number) => {
      const now = figuresBegin + minutes * minuteMs + 50_000;
      for (let more = true; more;) more = await harness.rollup.advance(now);
    };

    it('counts records that were written late, also in an hour that was already summed', async () => {
      await rollUpTo(61);
      await harness.write([anExchange(1000, { at: figuresBegin + 58 * minuteMs })]);
      await rollUpTo(80);
      expect(await total()).toBe(241);
      expect(await harness.figures.sums(figuresQuery({ to: figuresBegin + 60 * minuteMs }), [])).toMatchObject([{ count: 61 }]);
    });

    it('sums once, however many are at it, and however often', async () => {
      const now = figuresBegin + 300 * minuteMs;
      const { rollup } = harness;
      for (let more = true; more;) more = (await Promise.all([rollup.advance(now), rollup.advance(now)])).some(Boolean);
      expect(await total()).toBe(240);
      expect(await rollup.advance(now)).toBe(false);
      expect(await total()).toBe(240);
    });
  });
}
