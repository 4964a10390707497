import { MemoryRefreshRepository } from '../../../src/adapters/out/memory/figures/memory-refresh-repository';
import { PostgresRefreshRepository } from '../../../src/adapters/out/postgres/figures/postgres-refresh-repository';
import { CollectingLog } from '../../support/collecting-log';
import { ManualClock } from '../../support/manual-clock';
import { onEachDatabase } from '../each-database';
import { refreshRepositoryContract } from './refresh-repository.contract';

refreshRepositoryContract('memory', async () => {
  const clock = new ManualClock();
  return { repository: new MemoryRefreshRepository(clock), clock, written: async () => undefined };
});

onEachDatabase((name, database) => {
  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const [clock, log] = [new ManualClock(), new CollectingLog()];
    const repository = new PostgresRefreshRepository({ db, clock, log });
    return { repository, clock, written: () => repository.flush() };
  };
  refreshRepositoryContract(name, inDatabase);

  it(`removes rows older than 31 days: ${name}`, async () => {
    const { repository, clock } = await inDatabase();
    const dayMs = 86_400_000;
    clock.advance(Date.now() - 32 * dayMs - clock.now());
    repository.refreshed({ clientId: 'host_1', token: 'user', outcome: 'ok' });
    clock.advance(2 * dayMs);
    repository.refreshed({ clientId: 'host_1', token: 'user', outcome: 'ok' });
    await repository.close();
    expect(await repository.prune()).toBe(1);
  });
});
