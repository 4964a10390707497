import type { Unavailable } from '../../../src/domain/shared/errors';
import { createDataSource } from '../../../src/adapters/out/postgres/connection/data-source';
import { run } from '../../../src/adapters/out/postgres/connection/statement';
import { openOwnDatabase } from '../../support/any-database/own-database';
import { databaseKinds } from '../../support/postgres/database';

const slow = { name: 'test.slow', text: 'select pg_sleep(0.02) is not null as done' };

(databaseKinds.includes('postgres') ? it : it.skip)('B11: a pool above the limit of its role waits its turn', async () => {
  const database = await openOwnDatabase();
  const role = await database.addRole('limited', 'connection limit 3');
  const [one, other] = [1, 2].map(() => createDataSource({ kind: 'postgres', url: database.urlOf(role), poolSize: 10 }));
  try {
    await one!.initialize();
    await other!.initialize();
    const calls = Array.from({ length: 60 }, (_, i) => run<{ done: boolean }>(i % 2 ? one! : other!, slow, []));
    const ended = await Promise.allSettled(calls);
    expect(
      ended
        .flatMap((one) => (one.status === 'rejected' ? [one.reason as Unavailable] : []))
        .map(({ details, cause }) => [details, String(cause)]),
    ).toEqual([]);
  } finally {
    await one!.destroy();
    await other!.destroy();
    await database.close();
  }
});
