import fc from 'fast-check';
import { grainsOf, partsOf } from '../../../src/adapters/out/postgres/figures/figure-parts';
import { figureQuestion } from '../../../src/adapters/out/postgres/figures/figure-questions';
import { rankingQuestion } from '../../../src/adapters/out/postgres/figures/ranking-question';

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const begin = Date.UTC(2026, 10, 1);

/** Any range of whole minutes in three days, and how far each grain is summed. */
const ranges = fc.record({
  from: fc.integer({ min: 0, max: 4_320 }).map((minutes) => begin + minutes * minuteMs),
  minutes: fc.integer({ min: 1, max: 4_320 }),
  slotS: fc.constantFrom(60, 3_600, 43_200, 86_400),
  until: fc.record({
    minute: fc.integer({ min: 0, max: 8_640 }).map((minutes) => begin + minutes * minuteMs),
    hour: fc.integer({ min: 0, max: 144 }).map((hours) => begin + hours * 60 * minuteMs),
    'half-day': fc.integer({ min: 0, max: 12 }).map((halves) => begin + (halves * dayMs) / 2),
  }),
});

it('statements on figures with one name have one text, whatever the range', () => {
  const texts = new Map<string, string>();
  const keep = ({ name = '', text }: { name?: string; text: string }): void => {
    expect(Buffer.byteLength(name)).toBeLessThan(64);
    expect(texts.get(name) ?? text).toBe(text);
    texts.set(name, text);
  };
  fc.assert(
    fc.property(ranges, ({ from, minutes, slotS, until }) => {
      const query = { from, to: from + minutes * minuteMs, slotS };
      const within = (isByTime: boolean) => partsOf([query.from, query.to], grainsOf(query, isByTime), until);
      keep(figureQuestion('figure_sums', query, { by: ['time', 'pair'], parts: within(true) }).statement);
      keep(figureQuestion('figure_durations', query, { by: ['pair'], parts: within(false) }).statement);
      keep(rankingQuestion(query, 'traffic', { page: { limit: 50 }, parts: { ranks: within(false), slots: within(true) } }).statement);
    }),
    { numRuns: 2_000 },
  );
});
