import type { Exchange } from '../../src/domain/exchanges/exchange';
import type { FigureRoll, Figures } from '../../src/domain/figures/ports';
import { anExchange } from './exchange-log.contract';
import { figuresBegin, figuresQuery, fourHours } from './figures.contract';

export interface FigureRollHarness {
  readonly roll: FigureRoll;
  readonly figures: Figures;
  /** Keeps the exchanges, so that they can be summed. */
  write(exchanges: readonly Exchange[]): Promise<void>;
}

const minuteMs = 60_000;

/** Summing ahead comes to an end, and changes no count. */
export function figureRollContract(name: string, open: () => Promise<FigureRollHarness>): void {
  describe(`FigureRoll: ${name}`, () => {
    let harness: FigureRollHarness;
    beforeEach(async () => {
      harness = await open();
      await harness.write(fourHours());
    });
    const total = async () => (await harness.figures.sums(figuresQuery(), []))[0]?.count;
    const rollTo = async (minutes: number) => {
      const now = figuresBegin + minutes * minuteMs + 50_000;
      for (let more = true; more;) more = await harness.roll.advance(now);
    };

    it('counts what was written late: in a minute, and in an hour that was summed', async () => {
      await rollTo(61);
      await harness.write([anExchange(1000, { at: figuresBegin + 58 * minuteMs })]);
      await rollTo(80);
      expect(await total()).toBe(241);
      expect(await harness.figures.sums(figuresQuery({ to: figuresBegin + 60 * minuteMs }), [])).toMatchObject([{ count: 61 }]);
    });

    it('sums once, however many are at it, and however often', async () => {
      const now = figuresBegin + 300 * minuteMs;
      const { roll } = harness;
      for (let more = true; more;) more = (await Promise.all([roll.advance(now), roll.advance(now)])).some(Boolean);
      expect(await total()).toBe(240);
      expect(await roll.advance(now)).toBe(false);
      expect(await total()).toBe(240);
    });
  });
}
