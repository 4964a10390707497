import { MemoryCircuitStore } from '../../../src/adapters/out/memory/isolation/memory-circuit-store';
import { PostgresCircuitStore } from '../../../src/adapters/out/postgres/isolation/postgres-circuit-store';
import type { CircuitStore } from '../../../src/domain/isolation/circuit-store';
import { PartnerIsolation } from '../../../src/domain/isolation/partner-isolation';
import { ShareCircuits } from '../../../src/domain/isolation/share-circuits';
import { CollectingLog } from '../../support/collecting-log';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../support/postgres/database';
import { clock } from '../../support/partners/partner-http';

const endpoint = { side: 'miniapp', partnerId: 'app_1', step: 'miniapp_token' } as const;
const call = { ...endpoint, url: 'https://mini.example/auth' };

function contract(stores: () => readonly [CircuitStore, CircuitStore]): void {
  let here: CircuitStore;
  let there: CircuitStore;
  beforeEach(() => {
    [here, there] = stores();
  });

  it('shows every process which circuits are open, for how long, and who opened them', async () => {
    await here.note({ ...endpoint, openMs: 5000 });
    await here.note({ ...endpoint, integrationId: 'int_1', openMs: 10_000 });
    for (const [store, isOwn] of [
      [here, true],
      [there, false],
    ] as const) {
      const found = [...(await store.read())].sort((a, b) => a.openMs - b.openMs);
      expect(found).toMatchObject([
        { ...endpoint, isOwn },
        { ...endpoint, integrationId: 'int_1', isOwn },
      ]);
      expect(found[0]?.integrationId).toBeUndefined();
      for (const [n, maxStatements] of [5000, 10_000].entries()) {
        expect(found[n]?.openMs).toBeLessThanOrEqual(maxStatements);
        expect(found[n]?.openMs).toBeGreaterThan(maxStatements - 3000);
      }
    }
  });

  it('stays open for the longer time if it is opened twice', async () => {
    await here.note({ ...endpoint, openMs: 30_000 });
    await there.note({ ...endpoint, openMs: 5000 });
    expect((await here.read())[0]?.openMs).toBeGreaterThan(20_000);
    await here.note({ ...endpoint, integrationId: 'int_1' });
    await there.note(endpoint);
    expect(await here.read()).toEqual([]);
  });

  it('gives the trial of an expired circuit to one of several concurrent callers', async () => {
    await here.note({ ...endpoint, openMs: 0 });
    const claims = [here, there, here, there].map((store) => store.claimTrial(endpoint, 60_000));
    const waits = (await Promise.all(claims)).sort((a, b) => a - b);
    expect(waits.map((ms) => ms > 0)).toEqual([false, true, true, true]);
    expect(await there.claimTrial(endpoint, 60_000)).toBeGreaterThan(50_000);
    expect((await there.read())[0]?.openMs).toBeGreaterThan(50_000);
  });

  it('gives a trial to another process when its time is over', async () => {
    await here.note({ ...endpoint, openMs: 0 });
    expect(await here.claimTrial(endpoint, 0)).toBe(0);
    expect(await there.claimTrial(endpoint, 60_000)).toBe(0);
    expect((await there.read())[0]).toMatchObject({ ...endpoint, isOwn: true });
  });

  it('gives no trial of an open circuit, and any of one that is not shared', async () => {
    await here.note({ ...endpoint, openMs: 60_000 });
    expect(await here.claimTrial(endpoint, 60_000)).toBeGreaterThan(50_000);
    expect(await here.claimTrial({ ...endpoint, integrationId: 'int_1' }, 60_000)).toBe(0);
    expect(await there.claimTrial({ ...endpoint, integrationId: 'int_1' }, 60_000)).toBe(0);
  });

  it('an expired circuit is shown until a process closes it', async () => {
    await here.note({ ...endpoint, openMs: 0 });
    await here.forgetOld();
    expect((await there.read())[0]?.openMs).toBeLessThanOrEqual(0);
  });

  it('a circuit that opens in one process refuses calls in the other until it closes', async () => {
    let now = 0;
    const processes = [here, there].map((store) => {
      const isolation = new PartnerIsolation({ share: 0.25, now: () => now });
      return { isolation, share: new ShareCircuits({ isolation, store, log: new CollectingLog() }) };
    });
    const [first, second] = [processes[0]!, processes[1]!];
    const attempt = (isolation: PartnerIsolation, outcome: 'answered' | 'failed') => {
      const taken = isolation.take([call], 'int_1');
      if ('cause' in taken) return taken.cause;
      taken.at(endpoint)?.ended(outcome, now);
      taken.release();
      return outcome;
    };
    attempt(second.isolation, 'failed');
    for (let n = 0; n < 20; n++) attempt(first.isolation, 'failed');
    await first.share.settled;
    await second.share.execute();
    // It has not failed there itself; a few calls find out, and none after one has failed.
    attempt(second.isolation, 'failed');
    expect(attempt(second.isolation, 'answered')).toBe('circuit-open');
    now += 5000;
    expect(attempt(first.isolation, 'answered')).toBe('answered');
    await first.share.settled;
    await second.share.execute();
    expect(attempt(second.isolation, 'answered')).toBe('answered');
  });
}

describe('the circuits of all processes, in memory', () => {
  contract(() => {
    const kept = new Map();
    return [new MemoryCircuitStore({ clock, processId: 'a', kept }), new MemoryCircuitStore({ clock, processId: 'b', kept })];
  });
});

describe.each(databaseKinds)('the circuits of all processes: %s', (kind) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  }, 30_000);
  beforeEach(() => database.db.query('delete from partner_circuits'));
  afterAll(() => database.close());
  contract(() => [
    new PostgresCircuitStore({ db: database.db, processId: 'a' }),
    new PostgresCircuitStore({ db: database.db, processId: 'b' }),
  ]);
});
