import { MemoryExchangeLog } from '../../src/adapters/out/memory/memory-exchange-log';
import { MemoryFigureRoll } from '../../src/adapters/out/memory/memory-figure-roll';
import { MemoryFigures } from '../../src/adapters/out/memory/memory-figures';
import { PostgresExchangeLog } from '../../src/adapters/out/postgres/postgres-exchange-log';
import { PostgresFigureRoll } from '../../src/adapters/out/postgres/postgres-figure-roll';
import { PostgresFigures } from '../../src/adapters/out/postgres/postgres-figures';
import type { Exchange } from '../../src/domain/exchanges/exchange';
import { CollectingLog } from '../support/collecting-log';
import type { TestDatabase } from '../support/database';
import { onEachDatabase } from './each-database';
import { figureRollContract } from './figure-roll.contract';
import { anExchange } from './exchange-log.contract';
import { figuresBegin, figuresContract, figuresQuery } from './figures.contract';

const minuteMs = 60_000;

figuresContract('memory', async () => {
  const log = new MemoryExchangeLog();
  const keep = async (exchanges: readonly Exchange[]) => exchanges.forEach((exchange) => log.append(exchange));
  return { figures: new MemoryFigures(log), keep };
});
figureRollContract('memory', async () => {
  const log = new MemoryExchangeLog();
  const write = async (exchanges: readonly Exchange[]) => exchanges.forEach((exchange) => log.append(exchange));
  return { roll: new MemoryFigureRoll(), figures: new MemoryFigures(log), write };
});

onEachDatabase((name, database) => {
  const opened = async ({ db, wipe }: TestDatabase) => {
    await wipe();
    const roll = new PostgresFigureRoll(db);
    const write = async (exchanges: readonly Exchange[]) => {
      const log = new PostgresExchangeLog({ db, log: new CollectingLog() });
      exchanges.forEach((exchange) => log.append(exchange));
      await log.close();
    };
    const rollTo = async (minutes: number) => {
      const now = figuresBegin + minutes * minuteMs + 50_000;
      for (let more = true; more;) more = await roll.advance(now);
    };
    return { figures: new PostgresFigures(db), roll, write, rollTo };
  };

  figuresContract(`${name}, nothing summed`, async () => {
    const { figures, write } = await opened(database());
    return { figures, keep: write };
  });
  figuresContract(`${name}, two and a half hours summed`, async () => {
    const { figures, write, rollTo } = await opened(database());
    return { figures, keep: (exchanges) => write(exchanges).then(() => rollTo(150)) };
  });
  figuresContract(`${name}, all summed`, async () => {
    const { figures, write, rollTo } = await opened(database());
    return { figures, keep: (exchanges) => write(exchanges).then(() => rollTo(300)) };
  });

  figuresContract(`${name}, its half-day summed`, async () => {
    const { figures, write, rollTo } = await opened(database());
    return { figures, keep: (exchanges) => write(exchanges).then(() => rollTo(12 * 60)) };
  });

  figureRollContract(name, () => opened(database()));

  describe(`PostgresFigureRoll: ${name}`, () => {
    it('passes over the time in which nothing happened, and removes what is too old', async () => {
      const { figures, write, roll } = await opened(database());
      await write([anExchange(1, { at: figuresBegin }), anExchange(2, { at: figuresBegin + 30 * 24 * 60 * minuteMs })]);
      let rounds = 1;
      const now = figuresBegin + 31 * 24 * 60 * minuteMs;
      while (await roll.advance(now)) rounds++;
      expect(rounds).toBeLessThan(6);
      expect(await figures.sums(figuresQuery({ to: now }), [])).toMatchObject([{ count: 2 }]);
      await new PostgresFigureRoll(database().db).advance(now + 10 * 24 * 60 * minuteMs);
      expect(await figures.sums(figuresQuery({ to: now }), [])).toMatchObject([{ count: 1 }]);
    });
  });
});
