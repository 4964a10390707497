import { MemoryFigureReader } from '../../../src/adapters/out/memory/figures/memory-figure-reader';
import type { Exchange } from '../../../src/domain/exchanges/exchange';
import { FindProblems } from '../../../src/domain/problems/find-problems';
import { anExchange } from '../../contract/exchanges/exchange-log.contract';
import { FakeExchangeReader } from '../../fakes/fake-readers';

const minuteMs = 60_000;
const now = Date.UTC(2026, 5, 1, 12);

/** A pair whose miniapp failed so often three hours ago, and whose calls went well an hour later. */
const mended = (pair: number, failures: number): Exchange[] => {
  const of = (n: number, more: Partial<Exchange>): Exchange => anExchange(pair * 1000 + n, { appId: `app_${String(pair)}`, ...more });
  const failed = Array.from({ length: failures }, (_, n) =>
    of(n, {
      at: now - 180 * minuteMs,
      status: 502,
      errorCode: 'FAILED_TO_PARSE_RESPONSE',
      failedSide: 'miniapp',
      failedStep: 'miniapp_token',
    }),
  );
  return [...failed, of(999, { at: now - 120 * minuteMs })];
};

describe('FindProblems', () => {
  const find = (exchanges: readonly Exchange[]) =>
    new FindProblems({
      figures: new MemoryFigureReader({ exchanges }),
      exchanges: new FakeExchangeReader([...exchanges]),
      mutes: { list: async () => [] },
    }).execute({ from: now - 24 * 60 * minuteMs, to: now, slotS: 3600 }, now);

  it('lists open problems before hundreds of more frequent past ones', async () => {
    const over = Array.from({ length: 150 }, (_, pair) => mended(pair, 5)).flat();
    const goesOn = mended(500, 2).filter(({ status }) => status >= 400);
    const seenAgain = mended(501, 1).map((one) => (one.status >= 400 ? { ...one, at: now - minuteMs } : one));
    const problems = await find([...over, ...goesOn, ...seenAgain]);
    expect(problems).toHaveLength(50);
    expect(problems.slice(0, 3).map(({ appId, state, count }) => [appId, state, count])).toEqual([
      ['app_500', 'open', 2],
      ['app_501', 'open', 1],
      [expect.any(String), 'past', 5],
    ]);
    expect(problems.slice(0, 2).map(({ exchangeId }) => exchangeId)).toEqual([goesOn[1]?.id, seenAgain[0]?.id]);
  });

  it('counts a problem as past only if each of its calls has succeeded since', async () => {
    const [first, ...others] = mended(1, 2);
    const problems = await find([{ ...first!, call: 'authorize' }, ...others]);
    expect(problems.map(({ state, calls }) => [state, calls])).toEqual([['open', ['authorize', 'connect']]]);
  });
});
