import { aPairOver, type Pair } from '../../support/signatures/a-pair';
import { openTestDatabase, databaseKinds, type TestDatabase } from '../../support/postgres/database';
import { startServiceProcess, type ServiceProcess } from '../../support/service/service-process';
import { StubHostApp, StubMiniapp } from '../../support/partners/stub-sign-on';

// The embedded database serves one process: without a Postgres there are no two of them.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

describeOnPostgres('two processes on one Postgres', () => {
  let database: TestDatabase;
  let processes: ServiceProcess[];
  let hostApp: StubHostApp;
  let miniapp: StubMiniapp;
  let pair: Pair;

  beforeAll(async () => {
    database = await openTestDatabase('postgres');
    [hostApp, miniapp] = [await new StubHostApp().start(), await new StubMiniapp().start()];
    const url = database.target.kind === 'postgres' ? database.target.url : '';
    processes = await Promise.all([1, 2].map(() => startServiceProcess({ DATABASE_URL: url, RATE_LIMITS: '{"authorize": 100000}' })));
    pair = await aPairOver(processes[0]!.url, { hostAppUrl: hostApp.url, miniappUrl: miniapp.url });
  });
  afterAll(async () => {
    expect(await Promise.all(processes.map((one) => one.end('SIGTERM')))).toEqual([0, 0]);
    await Promise.all([hostApp.stop(), miniapp.stop(), database.close()]);
  });

  it('exchange one auth code once, however many calls come to both at once', async () => {
    const rounds = 20;
    for (let round = 0; round < rounds; round++) {
      const code = `code-${String(round)}`;
      hostApp.knows(code, { reference: `user-${String(round)}` });
      const body = JSON.stringify({ client_id: pair.clientId, app_id: pair.appId, auth_code: code });
      const call = async (to: ServiceProcess): Promise<string> => {
        const reply = await fetch(`${to.url}/api/v1/authorize/`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
        return `${String(reply.status)} ${await reply.text()}`;
      };
      const [one, two] = processes as [ServiceProcess, ServiceProcess];
      const answers = await Promise.all([one, two, one, two, one].map(call));
      expect(new Set(answers).size).toBe(1);
      expect(answers[0]).toMatch(/^200 /);
    }
    const counts = { exchanges: hostApp.exchanged.length, sessions: miniapp.receivedUsers.length };
    process.stdout.write(`5 x ${String(rounds)} equal authorize calls over 2 processes: ${JSON.stringify(counts)}\n`);
    expect(counts).toEqual({ exchanges: rounds, sessions: rounds });
  });
});
