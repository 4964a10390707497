import { MemoryRateLimiter } from '../../../src/adapters/out/memory/credentials/memory-rate-limiter';
import { createDataSource } from '../../../src/adapters/out/postgres/connection/data-source';
import { PostgresRateLimiter } from '../../../src/adapters/out/postgres/credentials/postgres-rate-limiter';
import { onEachDatabase } from '../each-database';
import { limits, rateLimiterContract } from './rate-limiter.contract';

rateLimiterContract('memory', async () => {
  const limiter = new MemoryRateLimiter({ limits });
  return { limiter, other: limiter };
});

onEachDatabase((name, database) => {
  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    return { limiter: new PostgresRateLimiter({ db, limits }), other: new PostgresRateLimiter({ db, limits }) };
  };
  rateLimiterContract(name, inDatabase);

  it('stores the counted caller as a digest only', async () => {
    const { limiter } = await inDatabase();
    await limiter.count({ limit: 'authorize', subject: 'canary 10.0.0.1' });
    const rows: { key: string }[] = await database().db.query('select key from rate_limits');
    expect(rows).toEqual([{ key: expect.stringMatching(/^authorize:[A-Za-z0-9_-]{43}$/) }]);
  });

  it('removes the counters of windows that have ended, and no other', async () => {
    const { limiter } = await inDatabase();
    const { db } = database();
    for (const subject of ['a', 'b']) await limiter.count({ limit: 'authorize', subject });
    expect(await limiter.prune()).toBe(0);
    await db.query('insert into rate_limits (key, points, expire) values ($1, 1, $2)', ['authorize:old', Date.now() - 1]);
    expect(await limiter.prune()).toBe(1);
    expect(await db.query('select key from rate_limits')).toHaveLength(2);
  });

  it('begins anew when the window has ended', async () => {
    const { limiter, other } = await inDatabase();
    for (let i = 0; i < 5; i++) await limiter.count({ limit: 'authorize', subject: 'a' });
    await expect(other.count({ limit: 'authorize', subject: 'a' })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await database().db.query('update rate_limits set expire = $1', [Date.now() - 1]);
    const third = new PostgresRateLimiter({ db: database().db, limits });
    await third.count({ limit: 'authorize', subject: 'a' });
  });
});

describe('PostgresRateLimiter without its database', () => {
  it('counts in memory, so that a limit holds while the database is away', async () => {
    const away = createDataSource({ kind: 'postgres', url: 'postgres://postgres@127.0.0.1:1/none' });
    await away.initialize().catch(() => undefined);
    const limiter = new PostgresRateLimiter({ db: away, limits });
    const count = () => limiter.count({ limit: 'basic-failure', subject: 'a' });
    await count();
    await count();
    await expect(count()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });
});
