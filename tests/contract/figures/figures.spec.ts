import { MemoryExchangeLog } from '../../../src/adapters/out/memory/exchanges/memory-exchange-log';
import { MemoryFigureRollupStore } from '../../../src/adapters/out/memory/figures/memory-figure-rollup-store';
import { MemoryFigureReader } from '../../../src/adapters/out/memory/figures/memory-figure-reader';
import { PostgresExchangeLog } from '../../../src/adapters/out/postgres/exchanges/postgres-exchange-log';
import { PostgresFigureRollupStore } from '../../../src/adapters/out/postgres/figures/postgres-figure-rollup-store';
import { PostgresFigureReader } from '../../../src/adapters/out/postgres/figures/postgres-figure-reader';
import type { Exchange } from '../../../src/domain/exchanges/exchange';
import { CollectingLog } from '../../support/collecting-log';
import type { TestDatabase } from '../../support/postgres/database';
import { onEachDatabase } from '../each-database';
import { figureRollupStoreContract } from './figure-rollup-store.contract';
import { anExchange } from '../exchanges/exchange-log.contract';
import { figuresBegin, figuresContract, figuresQuery, fourHours } from './figures.contract';

const minuteMs = 60_000;

figuresContract('memory', async () => {
  const log = new MemoryExchangeLog();
  const keep = async (exchanges: readonly Exchange[]) => exchanges.forEach((exchange) => log.append(exchange));
  return { figures: new MemoryFigureReader(log), keep };
});
figureRollupStoreContract('memory', async () => {
  const log = new MemoryExchangeLog();
  const write = async (exchanges: readonly Exchange[]) => exchanges.forEach((exchange) => log.append(exchange));
  return { rollup: new MemoryFigureRollupStore(), figures: new MemoryFigureReader(log), write };
});

onEachDatabase((name, database) => {
  const opened = async ({ db, wipe }: TestDatabase) => {
    await wipe();
    const rollup = new PostgresFigureRollupStore(db);
    const write = async (exchanges: readonly Exchange[]) => {
      const log = new PostgresExchangeLog({ db, log: new CollectingLog() });
      exchanges.forEach((exchange) => log.append(exchange));
      await log.close();
    };
    const rollUpTo = async (minutes: number) => {
      const now = figuresBegin + minutes * minuteMs + 50_000;
      for (let more = true; more;) more = await rollup.advance(now);
    };
    return { figures: new PostgresFigureReader(db), rollup, write, rollUpTo };
  };

  figuresContract(`${name}, nothing summed`, async () => {
    const { figures, write } = await opened(database());
    return { figures, keep: write };
  });
  figuresContract(`${name}, two and a half hours summed`, async () => {
    const { figures, write, rollUpTo } = await opened(database());
    return { figures, keep: (exchanges) => write(exchanges).then(() => rollUpTo(150)) };
  });
  figuresContract(`${name}, all summed`, async () => {
    const { figures, write, rollUpTo } = await opened(database());
    return { figures, keep: (exchanges) => write(exchanges).then(() => rollUpTo(300)) };
  });

  figuresContract(`${name}, its half-day summed`, async () => {
    const { figures, write, rollUpTo } = await opened(database());
    return { figures, keep: (exchanges) => write(exchanges).then(() => rollUpTo(12 * 60)) };
  });

  figureRollupStoreContract(name, () => opened(database()));

  describe(`PostgresFigureReader: ${name}`, () => {
    it('counts each exchange once while it still goes by earlier progress', async () => {
      const { write, rollUpTo } = await opened(database());
      let now = 0;
      const figures = new PostgresFigureReader(database().db, () => now);
      const count = async () => (await figures.sums(figuresQuery(), []))[0]?.count;
      await write(fourHours());
      const counts = [await count()];
      await rollUpTo(150);
      counts.push(await count());
      now = 1001;
      counts.push(await count());
      expect(counts).toEqual([240, 240, 240]);
    });
  });

  describe(`PostgresFigureRollupStore: ${name}`, () => {
    it('skips times without exchanges, and removes old sums', async () => {
      const { figures, write, rollup } = await opened(database());
      await write([anExchange(1, { at: figuresBegin }), anExchange(2, { at: figuresBegin + 30 * 24 * 60 * minuteMs })]);
      let rounds = 1;
      const now = figuresBegin + 31 * 24 * 60 * minuteMs;
      while (await rollup.advance(now)) rounds++;
      expect(rounds).toBeLessThan(6);
      expect(await figures.sums(figuresQuery({ to: now }), [])).toMatchObject([{ count: 2 }]);
      await new PostgresFigureRollupStore(database().db).advance(now + 10 * 24 * 60 * minuteMs);
      expect(await figures.sums(figuresQuery({ to: now }), [])).toMatchObject([{ count: 1 }]);
    });
  });
});
