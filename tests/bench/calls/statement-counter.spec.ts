import { Client } from 'pg';
import { databaseKinds, openBareDatabase, type TestDatabase } from '../../support/postgres/database';
import { StatementCounter } from './statement-counter';

const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

describeOnPostgres('the counter of statements', () => {
  let database: TestDatabase;
  let counter: StatementCounter;
  let client: Client;

  beforeAll(async () => {
    database = await openBareDatabase();
    if (database.target.kind !== 'postgres') throw new Error('Only Postgres has connections to count on');
    counter = await StatementCounter.open(database.target.url);
    client = new Client({ connectionString: counter.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await counter.close();
    await database.close();
  });

  it('counts simple and prepared statements, each time that one runs', async () => {
    const before = counter.count;
    await client.query('select 1');
    const prepared = { name: 'sum', text: 'select $1::int + 1 as sum', values: [1] };
    for (let n = 0; n < 3; n++) expect((await client.query(prepared)).rows).toEqual([{ sum: 2 }]);
    expect(counter.count - before).toBe(4);
  });

  it('counts a long one once', async () => {
    const before = counter.count;
    const long = 'x'.repeat(1_000_000);
    expect((await client.query('select length($1) as long', [long])).rows).toEqual([{ long: long.length }]);
    expect(counter.count - before).toBe(1);
  });
});
