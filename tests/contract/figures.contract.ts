import type { Exchange } from '../../src/domain/exchanges/exchange';
import type { FigureQuery, Figures, Sum } from '../../src/domain/figures/ports';
import { stepOf } from '../../src/domain/figures/durations';
import { anExchange } from './exchange-log.contract';

export interface FiguresHarness {
  readonly figures: Figures;
  /** Keeps the exchanges, so that they can be counted. */
  keep(exchanges: readonly Exchange[]): Promise<void>;
}

/** At an hour. */
export const figuresBegin = Date.UTC(2026, 5, 1, 8);
const minuteMs = 60_000;
export const figuresQuery = (more: Partial<FigureQuery> = {}): FigureQuery => ({
  ...{ from: figuresBegin, to: figuresBegin + 4 * 60 * minuteMs, slotS: 3600, ...more },
});

/** Four hours in which two pairs call each minute; of every tenth call the miniapp fails. */
export const fourHours = (): Exchange[] =>
  Array.from({ length: 240 }, (_, i) => {
    const at = figuresBegin + i * minuteMs + 1234;
    const failed = i % 10 === 3;
    return anExchange(i, {
      at,
      appId: i % 2 === 0 ? 'app_1' : 'app_2',
      call: i % 3 === 0 ? 'authorize' : 'connect',
      ms: 10 + i,
      ...(failed && { status: 502, errorCode: 'FAILED_TO_PARSE_RESPONSE', failedSide: 'miniapp', failedStep: 'miniapp_token' }),
      legs: [
        { to: 'hostapp', step: 'exchange', attempt: 1, startedAt: at, ms: 2.4, status: 200 },
        { to: 'miniapp', step: 'miniapp_token', attempt: 1, startedAt: at, ms: 3, status: 503 },
        { to: 'miniapp', step: 'miniapp_token', attempt: 2, startedAt: at, ms: 4, status: 200 },
      ],
    });
  });

/** Exchanges are counted exactly, whoever counts and however much of them is summed already. */
export function figuresContract(name: string, open: () => Promise<FiguresHarness>): void {
  describe(`Figures: ${name}`, () => {
    let harness: FiguresHarness;
    beforeEach(async () => {
      harness = await open();
      await harness.keep(fourHours());
    });
    const counts = (sums: readonly Sum[]): number[] => [...sums].sort((a, b) => (a.slot ?? 0) - (b.slot ?? 0)).map(({ count }) => count);

    it('counts each exchange once, by hours, minutes and in whole', async () => {
      const { figures } = harness;
      expect(counts(await figures.sums(figuresQuery(), ['time']))).toEqual([60, 60, 60, 60]);
      const minutes = figuresQuery({ slotS: 60, from: figuresBegin + 119 * minuteMs, to: figuresBegin + 122 * minuteMs });
      expect(counts(await figures.sums(minutes, ['time']))).toEqual([1, 1, 1]);
      expect(await figures.sums(figuresQuery({ from: figuresBegin - 3_600_000 }), [])).toMatchObject([{ count: 240 }]);
    });

    it('adds up what the whole took and what each partner took of it, and says when the first and the last came', async () => {
      const [sum] = await harness.figures.sums(figuresQuery(), []);
      expect(sum).toMatchObject({ count: 240, ms: 240 * 10 + (239 * 240) / 2, hostAppMs: 480, miniappMs: 1680 });
      expect([sum?.firstAt, sum?.lastAt]).toEqual([figuresBegin + 1234, figuresBegin + 239 * minuteMs + 1234]);
    });

    it('tells endings, pairs and calls apart', async () => {
      const { figures } = harness;
      expect(
        (await figures.sums(figuresQuery(), ['ending'])).map(({ errorCode, failedStep, count }) => [errorCode, failedStep, count]),
      ).toEqual(
        expect.arrayContaining([
          [undefined, undefined, 216],
          ['FAILED_TO_PARSE_RESPONSE', 'miniapp_token', 24],
        ]),
      );
      const pairs = await figures.sums(figuresQuery(), ['pair', 'call']);
      expect(pairs.map(({ appId, call, count }) => [appId, call, count])).toEqual(
        expect.arrayContaining([
          ['app_1', 'authorize', 40],
          ['app_1', 'connect', 80],
          ['app_2', 'authorize', 40],
        ]),
      );
    });

    it('counts only what is asked for', async () => {
      const { figures } = harness;
      const count = async (more: Partial<FigureQuery>) => (await figures.sums(figuresQuery(more), []))[0]?.count;
      expect([await count({ appId: 'app_1' }), await count({ call: 'authorize' }), await count({ clientId: 'host_2' })]).toEqual([
        120,
        80,
        undefined,
      ]);
    });

    it('counts durations by their steps', async () => {
      const durations = await harness.figures.durations(figuresQuery(), []);
      expect(durations.reduce((all, { count }) => all + count, 0)).toBe(240);
      const expected = new Map<number, number>();
      for (const { ms } of fourHours()) expected.set(stepOf(ms), (expected.get(stepOf(ms)) ?? 0) + 1);
      expect(new Map(durations.map(({ step, count }) => [step, count]))).toEqual(expected);
    });
  });
}
