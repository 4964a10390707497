import { MemoryExchangeLog } from '../../../src/adapters/out/memory/exchanges/memory-exchange-log';
import { createDataSource } from '../../../src/adapters/out/postgres/connection/data-source';
import { PostgresExchangeLog } from '../../../src/adapters/out/postgres/exchanges/postgres-exchange-log';
import { PostgresExchangeReader } from '../../../src/adapters/out/postgres/exchanges/postgres-exchange-reader';
import type { Exchange } from '../../../src/domain/exchanges/exchange';
import type { ExchangeFilter } from '../../../src/domain/exchanges/ports';
import { CollectingLog } from '../../support/collecting-log';
import { onEachDatabase } from '../each-database';
import { anExchange, exchangeLogContract } from './exchange-log.contract';

exchangeLogContract('memory', async () => {
  const log = new MemoryExchangeLog();
  return { log, arrived: async () => log.exchanges };
});

onEachDatabase((name, database) => {
  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const lines = new CollectingLog();
    const log = new PostgresExchangeLog({ db, log: lines });
    const reader = new PostgresExchangeReader(db);
    const arrived = async () => {
      await log.close();
      return [...(await reader.list({}, { limit: 100_000 }))].reverse();
    };
    return { log, lines, reader, arrived };
  };
  exchangeLogContract(name, inDatabase);

  describe(`PostgresExchangeLog: ${name}`, () => {
    it('writes by itself, without being told to', async () => {
      const { log, reader } = await inDatabase();
      log.append(anExchange(1));
      const giveUpAt = performance.now() + 5000;
      while (!(await reader.find('ex_000001')) && performance.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(await reader.find('ex_000001')).toEqual(anExchange(1));
    });

    it('keeps the others of a batch in which one cannot be stored, and says which', async () => {
      const { log, lines, arrived } = await inDatabase();
      for (let i = 0; i < 9; i++) log.append(i === 4 ? anExchange(i, { errorCode: 'a\0b' }) : anExchange(i));
      expect((await arrived()).map(({ id }) => id)).toEqual([0, 1, 2, 3, 5, 6, 7, 8].map((i) => anExchange(i).id));
      expect(lines.of('exchanges.refused')).toMatchObject([{ exchange: 'ex_000004' }]);
    });

    it('takes a batch that is written twice once', async () => {
      const { log, arrived } = await inDatabase();
      for (let i = 0; i < 2; i++) {
        log.append(anExchange(1));
        await log.flush();
      }
      expect(await arrived()).toHaveLength(1);
    });
  });

  describe(`PostgresExchangeReader: ${name}`, () => {
    it('lists newest first in complete pages, even if times are equal', async () => {
      const { log, reader } = await inDatabase();
      const exchanges = Array.from({ length: 20 }, (_, i) => anExchange(i, { at: 1_700_000_000_000 + Math.floor(i / 7) }));
      for (const exchange of [...exchanges].reverse()) log.append(exchange);
      await log.close();
      const seen: string[] = [];
      for (let after: string | undefined; ; after = seen.at(-1)) {
        const page = await reader.list({}, { limit: 3, after });
        if (page.length === 0) break;
        seen.push(...page.map(({ id }) => id));
      }
      expect(seen).toEqual(exchanges.map(({ id }) => id).reverse());
    });

    it.each<[string, ExchangeFilter, number[]]>([
      ['host app', { clientId: 'host_2' }, [2]],
      ['miniapp', { appId: 'app_2' }, [3]],
      ['pair', { clientId: 'host_1', appId: 'app_1' }, [5, 4, 1, 0]],
      ['call', { call: 'authorize' }, [4]],
      ['status', { status: 400 }, [5]],
      ['class of statuses', { statusClass: 4 }, [5]],
      ['side', { failedSide: 'miniapp' }, [5]],
      ['check', { refusedCheck: 'signature' }, [5]],
      ['duration', { minMs: 900 }, [4]],
      ['payment', { partOf: 'payment-1' }, [5, 4]],
      ['error code', { errorCode: 'CODE' }, [5]],
      ['request', { requestId: 'req-1' }, [1]],
      ['time, first included, last not', { from: 1_700_000_000_001, to: 1_700_000_000_003 }, [2, 1]],
      [
        'all of it',
        { clientId: 'host_1', appId: 'app_1', call: 'connect', status: 400, errorCode: 'CODE', requestId: 'req-5', from: 0, to: 2e12 },
        [5],
      ],
      ['what nobody has', { clientId: 'host_1', call: 'revoke' }, []],
    ])('finds by %s', async (_what, filter, numbers) => {
      const { log, reader } = await inDatabase();
      const authorize = { call: 'authorize', ms: 900, partOf: 'payment-1' };
      const failed: Partial<Exchange> = {
        ...{ status: 400, errorCode: 'CODE', failedSide: 'miniapp', refused: { check: 'signature', of: 'miniapp' }, partOf: 'payment-1' },
      };
      const rows = [{}, {}, { clientId: 'host_2' }, { appId: 'app_2' }, authorize, failed];
      for (const [i, more] of rows.entries()) log.append(anExchange(i, more));
      await log.close();
      expect((await reader.list(filter, { limit: 10 })).map(({ id }) => Number(id.slice(3)))).toEqual(numbers);
    });

    it('finds the last failure of a moment that is alike in all', async () => {
      const { log, reader } = await inDatabase();
      const failed = { status: 502, errorCode: 'CODE', failedSide: 'miniapp', failedStep: 'miniapp_token', at: 1_700_000_000_000 } as const;
      const rows = [failed, failed, { ...failed, failedStep: undefined }, { ...failed, appId: 'app_2' }, { ...failed, at: failed.at + 1 }];
      for (const [i, more] of rows.entries()) log.append(anExchange(i, more));
      await log.close();
      const { clientId, appId } = anExchange(0);
      const key = { errorCode: 'CODE', failedSide: 'miniapp', failedStep: 'miniapp_token', clientId, appId, at: failed.at } as const;
      const keys = [key, { ...key, failedStep: undefined }, { ...key, errorCode: undefined }, { ...key, at: failed.at - 1 }];
      expect((await reader.failuresAt(keys)).map(({ id }) => id).sort()).toEqual(['ex_000001', 'ex_000002']);
      expect(await reader.failuresAt([])).toEqual([]);
    });

    it('finds one by its id, and none after a cursor that is not there', async () => {
      const { log, reader } = await inDatabase();
      log.append(anExchange(1));
      await log.close();
      expect(await reader.find('ex_000001')).toEqual(anExchange(1));
      expect(await reader.find('ex_000002')).toBeUndefined();
      expect(await reader.list({}, { limit: 10, after: 'ex_000002' })).toEqual([]);
      await expect(reader.find(undefined as unknown as string)).rejects.toThrow('id');
    });
  });
});

describe('PostgresExchangeLog without its database', () => {
  it('keeps the newest ten thousand, and logs once a flush how many it dropped', async () => {
    const away = createDataSource({ kind: 'postgres', url: 'postgres://postgres@127.0.0.1:1/none' });
    await away.initialize().catch(() => undefined);
    const lines = new CollectingLog();
    const log = new PostgresExchangeLog({ db: away, log: lines });
    for (let i = 0; i < 10_007; i++) log.append(anExchange(i));
    await log.flush();
    await log.flush();
    await log.close();
    const dropped = lines.of('exchanges.dropped').map(({ count }) => count as number);
    expect(dropped.reduce((sum, count) => sum + count, 0)).toBe(7);
    expect(dropped.length).toBeLessThanOrEqual(2);
    expect(lines.of('exchanges.lost')).toEqual([{ count: 10_000 }]);
    expect(lines.of('exchanges.delayed').length).toBeGreaterThanOrEqual(2);
  });
});
