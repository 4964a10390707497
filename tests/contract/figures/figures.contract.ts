import type { Exchange } from '../../../src/domain/exchanges/exchange';
import { add, seriesOf } from '../../../src/domain/figures/added-up';
import { outcomes } from '../../../src/domain/figures/outcome';
import type { FigureQuery, FigureReader, PairOrder, RankedPairs, StepCount, Sum } from '../../../src/domain/figures/ports';
import type { PageRequest } from '../../../src/domain/partners/ports';
import { stepOf } from '../../../src/domain/figures/durations';
import { anExchange } from '../exchanges/exchange-log.contract';

export interface FiguresHarness {
  readonly figures: FigureReader;
  /** Keeps the exchanges, so that they can be counted. */
  keep(exchanges: readonly Exchange[]): Promise<void>;
}

/** At an hour. */
export const figuresBegin = Date.UTC(2026, 5, 1, 8);
const minuteMs = 60_000;
const names = ({ pairs, total }: RankedPairs) => ({ pairs: pairs.map(({ clientId, appId }) => `${clientId}/${appId}`), total });

export const figuresQuery = (more: Partial<FigureQuery> = {}): FigureQuery => ({
  ...{ from: figuresBegin, to: figuresBegin + 4 * 60 * minuteMs, slotS: 3600, ...more },
});

/** The half-day of UTC that these four hours are the end of. */
const wholeHalfDay = { from: figuresBegin - 8 * 60 * minuteMs, to: figuresBegin + 4 * 60 * minuteMs };

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

/** Three pairs with 3, 1 and 1 calls, those of the first failed; and a call of nobody that is known. */
const threeMorePairs = (): Exchange[] =>
  (['host_9/app_2', 'host_9/app_2', 'host_9/app_2', 'host_9/app_1', 'host_1/app_3', undefined] as const).map((pair, i) => {
    const [clientId, appId] = pair?.split('/') ?? [];
    const failed = pair === 'host_9/app_2' && { status: 401, errorCode: 'ACCESS_DENIED' as const };
    return { ...anExchange(300 + i, { at: figuresBegin + i * minuteMs, call: 'connect', ...failed }), clientId, appId };
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

    it("sums the total time and each partner's share of it, with the first and last time", async () => {
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

    it('counts only the selected records', async () => {
      const { figures } = harness;
      const count = async (more: Partial<FigureQuery>) => (await figures.sums(figuresQuery(more), []))[0]?.count;
      expect([await count({ appId: 'app_1' }), await count({ call: 'authorize' }), await count({ clientId: 'host_2' })]).toEqual([
        120,
        80,
        undefined,
      ]);
    });

    it('counts the same in a range that has a half-day of its own', async () => {
      const { figures } = harness;
      const [sum] = await figures.sums(figuresQuery({ ...wholeHalfDay, clientId: 'host_1' }), []);
      expect(sum).toMatchObject({ count: 240, ms: 240 * 10 + (239 * 240) / 2, hostAppMs: 480, miniappMs: 1680 });
      expect([sum?.firstAt, sum?.lastAt]).toEqual([figuresBegin + 1234, figuresBegin + 239 * minuteMs + 1234]);
      const slots = await figures.sums(figuresQuery({ ...wholeHalfDay, slotS: 43_200, appId: 'app_2' }), ['time', 'ending']);
      expect(slots.map(({ slot, status, count }) => [slot, status, count])).toEqual([
        [wholeHalfDay.from, 200, 96],
        [wholeHalfDay.from, 502, 24],
      ]);
      const durations = await figures.durations(figuresQuery({ ...wholeHalfDay, clientId: 'host_1' }), ['pair']);
      expect(durations.reduce((all, { count }) => all + count, 0)).toBe(240);
    });

    it('begins slots at the start of the range, and cuts the last one short', async () => {
      const { figures } = harness;
      const slots = async (more: Partial<FigureQuery>) =>
        (await figures.sums(figuresQuery(more), ['time']))
          .map(({ slot = 0, count }) => [(slot - figuresBegin) / minuteMs, count])
          .sort(([a = 0], [b = 0]) => a - b);
      expect(await slots({ slotS: 3 * 3600 })).toEqual([
        [0, 180],
        [180, 60],
      ]);
      expect(await slots({ from: figuresBegin + 10 * minuteMs, slotS: 7200 })).toEqual([
        [10, 120],
        [130, 110],
      ]);
    });

    it('counts pairs that are asked for alone', async () => {
      const pairs = [
        { clientId: 'host_1', appId: 'app_2' },
        { clientId: 'host_2', appId: 'app_1' },
      ];
      const found = await harness.figures.sums(figuresQuery({ pairs }), ['pair']);
      expect(found.map(({ clientId, appId, count }) => [clientId, appId, count])).toEqual([['host_1', 'app_2', 120]]);
      expect(await harness.figures.sums(figuresQuery({ pairs: [] }), [])).toEqual([]);
    });

    it('counts what failed, or what went well, alone', async () => {
      const count = async (more: Partial<FigureQuery>) => (await harness.figures.sums(figuresQuery(more), []))[0]?.count;
      expect([await count({ hasFailed: true }), await count({ hasFailed: false })]).toEqual([24, 216]);
      expect(await count({ hasFailed: true, appId: 'app_1' })).toBeUndefined();
    });

    it('counts durations by their steps', async () => {
      const durations = await harness.figures.durations(figuresQuery(), []);
      expect(durations.reduce((all, { count }) => all + count, 0)).toBe(240);
      const expected = new Map<number, number>();
      for (const { ms } of fourHours()) expected.set(stepOf(ms), (expected.get(stepOf(ms)) ?? 0) + 1);
      expect(new Map(durations.map(({ step, count }) => [step, count]))).toEqual(expected);
    });

    describe('of pairs in an order', () => {
      beforeEach(async () => {
        harness = await open();
        await harness.keep([...fourHours(), ...threeMorePairs()]);
      });
      const ranked = async (order: PairOrder, page: PageRequest, more: Partial<FigureQuery> = {}) =>
        names(await harness.figures.ranking(figuresQuery(more), order, page));

      it('sorts by the number of exchanges, by failures, or by id', async () => {
        const all = { limit: 10 };
        expect(await ranked('traffic', all)).toEqual({
          pairs: ['host_1/app_1', 'host_1/app_2', 'host_9/app_2', 'host_1/app_3', 'host_9/app_1'],
          total: 5,
        });
        expect((await ranked('failures', all)).pairs.slice(0, 3)).toEqual(['host_1/app_2', 'host_9/app_2', 'host_1/app_1']);
        expect((await ranked('id', all)).pairs).toEqual(['host_1/app_1', 'host_1/app_2', 'host_1/app_3', 'host_9/app_1', 'host_9/app_2']);
      });

      it('sums up each pair of the page alone, by slot and outcome', async () => {
        const { figures } = harness;
        const query = figuresQuery({ slotS: 7200 });
        const { pairs } = await figures.ranking(query, 'failures', { limit: 2 });
        for (const { clientId, appId, sum, slots, durations } of pairs) {
          const own = { ...query, pairs: [{ clientId, appId }] };
          const [whole] = await figures.sums(own, []);
          expect(whole).toMatchObject(sum);
          const expected = seriesOf(query, await figures.sums(own, ['time', 'ending'])).filter(
            (slot) => add(outcomes, (word) => slot[word]) > 0,
          );
          expect([...slots].sort((a, b) => a.slot - b.slot)).toEqual(expected);
          const byStep = (counted: readonly StepCount[]) => new Map(counted.map(({ step, count }) => [step, count]));
          expect(byStep(durations)).toEqual(byStep(await figures.durations(own, [])));
        }
        expect(pairs[0]?.slots.map((slot) => slot.partner_error)).toContain(12);
      });

      it.each(['traffic', 'failures', 'id'] as const)('comes to each pair once, page by page, by %s', async (order) => {
        const { pairs: all } = await ranked(order, { limit: 10 });
        const seen: string[] = [];
        for (let after: string | undefined; ; after = seen.at(-1)) {
          const { pairs, total } = await ranked(order, { limit: 2, after });
          expect(total).toBe(5);
          if (pairs.length === 0) break;
          seen.push(...pairs);
        }
        expect(seen).toEqual(all);
      });

      it('continues after any pair by id, but not by traffic after one without exchanges', async () => {
        expect(await ranked('id', { limit: 1, after: 'host_1/app_25' })).toEqual({ pairs: ['host_1/app_3'], total: 5 });
        expect(await ranked('traffic', { limit: 1, after: 'host_1/app_25' })).toEqual({ pairs: [], total: 5 });
      });

      it('ranks those that are asked for alone', async () => {
        expect(await ranked('traffic', { limit: 5 }, { clientId: 'host_9' })).toEqual({
          pairs: ['host_9/app_2', 'host_9/app_1'],
          total: 2,
        });
        expect(await ranked('traffic', { limit: 1 }, wholeHalfDay)).toEqual({ pairs: ['host_1/app_1'], total: 5 });
        expect(await ranked('failures', { limit: 1 }, { ...wholeHalfDay, clientId: 'host_9' })).toEqual({
          pairs: ['host_9/app_2'],
          total: 2,
        });
        expect((await ranked('traffic', { limit: 5 }, { appId: 'app_2' })).pairs).toEqual(['host_1/app_2', 'host_9/app_2']);
        expect((await ranked('traffic', { limit: 1 }, { call: 'authorize' })).total).toBe(2);
        expect(await ranked('traffic', { limit: 5 }, { from: figuresBegin - 7_200_000, to: figuresBegin })).toEqual({
          pairs: [],
          total: 0,
        });
      });
    });
  });
}
