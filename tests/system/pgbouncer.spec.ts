import { openDatabase } from '../../src/adapters/out/postgres/connection/open-database';
import { doDailyBusiness } from '../support/any-database/daily-business';
import { openOwnDatabase, type OwnDatabase } from '../support/any-database/own-database';
import { OwnPgBouncer } from '../support/any-database/own-pgbouncer';

const well = {
  calls: [200, 200, 200],
  delivered: true,
  found: expect.any(Number),
  listens: true,
  warnings: ['audit-trail-unprotected'],
  whole: true,
};

describe('PgBouncer as Debian has it', () => {
  let database: OwnDatabase;
  let pooler: OwnPgBouncer | undefined;

  beforeEach(async () => {
    database = await openOwnDatabase();
  }, 30_000);
  afterEach(async () => {
    await pooler?.stop();
    await database.close();
  }, 30_000);

  it('B1: serves, migrates and listens through its default, session mode', async () => {
    pooler = await OwnPgBouncer.start(database);
    expect(await doDailyBusiness(pooler.urlOf(database))).toEqual(well);
  });

  it('B2: serves through transaction mode with DATABASE_DIRECT_URL, in any time zone', async () => {
    await database.asAdmin(`alter database ${database.name} set timezone = 'Asia/Kathmandu'`);
    pooler = await OwnPgBouncer.start(database, 'transaction');
    expect(await doDailyBusiness(pooler.urlOf(database), database.url)).toEqual(well);
  });

  it('B2: refuses transaction mode without it, and says what to set', async () => {
    pooler = await OwnPgBouncer.start(database, 'transaction');
    const url = pooler.urlOf(database);
    const open = (migrate: boolean, directUrl?: string): Promise<unknown> =>
      openDatabase({ url, directUrl, dataDir: '/nonexistent', migrate, onFatal: () => undefined });
    const warning = /leads to a pooler in transaction mode.*: set DATABASE_DIRECT_URL to the same database past the pooler/;
    await expect(open(true)).rejects.toThrow(warning);
    await expect(open(false)).rejects.toThrow(warning);
    await expect(open(true, url)).rejects.toThrow('set DATABASE_DIRECT_URL to the same database past the pooler');
  });

  it('B2: refuses transaction mode with changed session settings, and gives the fix', async () => {
    await database.asAdmin(`alter database ${database.name} set synchronous_commit = 'off'`);
    pooler = await OwnPgBouncer.start(database, 'transaction');
    const options = {
      url: pooler.urlOf(database),
      directUrl: database.url,
      dataDir: '/nonexistent',
      migrate: true,
      onFatal: () => undefined,
    };
    await expect(openDatabase(options)).rejects.toThrow(
      `run "alter role ${database.owner} in database ${database.name} set synchronous_commit = 'on'"`,
    );
  });
});
