import { MemoryInstanceBoard } from '../../src/adapters/out/memory/memory-instance-board';
import { MemoryRegistry } from '../../src/adapters/out/memory/memory-registry';
import { MemoryRunBook } from '../../src/adapters/out/memory/memory-run-book';
import { PostgresInstanceBoard } from '../../src/adapters/out/postgres/postgres-instance-board';
import { PostgresOperationsReader } from '../../src/adapters/out/postgres/postgres-operations-reader';
import { PostgresRunRepository } from '../../src/adapters/out/postgres/runs/postgres-run-repository';
import { instanceRules } from '../../src/domain/operations/instance';
import { backlogRules } from '../../src/domain/operations/ports';
import { ManualClock } from '../support/manual-clock';
import { anInstance, instanceBoardContract } from './instance-board.contract';
import { onEachDatabase } from './each-database';
import { runBookContract } from './run-book.contract';

instanceBoardContract('memory', async () => {
  const [registry, clock] = [new MemoryRegistry(), new ManualClock()];
  const board = new MemoryInstanceBoard({ registry, clock });
  return {
    board,
    silence: async (_id, ms) => {
      clock.advance(ms);
    },
    audited: async () => registry.audit,
  };
});

runBookContract('memory', async () => {
  const [registry, clock] = [new MemoryRegistry(), new ManualClock()];
  return {
    book: new MemoryRunBook({ registry, clock }),
    silence: async (_id, ms) => {
      clock.advance(ms);
    },
    audited: async () => registry.audit,
  };
});

onEachDatabase((name, database) => {
  const opened = async () => {
    const { db, wipe } = database();
    await wipe();
    return { db, audited: () => db.query('select action, subject from audit_log order by id') };
  };
  const before = (ms: number): string => `now() - ${String(ms)} * interval '1 ms'`;

  instanceBoardContract(name, async () => {
    const { db, audited } = await opened();
    const silence = (id: string, ms: number) => db.query(`update instances set seen_at = ${before(ms)} where id = $1`, [id]);
    return { board: new PostgresInstanceBoard(db), silence, audited };
  });

  runBookContract(name, async () => {
    const { db, audited } = await opened();
    const silence = (id: string, ms: number) => db.query(`update long_runs set beat_at = ${before(ms)} where id = $1`, [id]);
    return { book: new PostgresRunRepository({ db, kind: 'test' }), silence, audited };
  });

  describe(`operations: ${name}`, () => {
    it('forgets instances that were not heard of for an hour', async () => {
      const { db } = await opened();
      const board = new PostgresInstanceBoard(db);
      await board.announce(anInstance('i_1'));
      await board.announce(anInstance('i_2'));
      await db.query(`update instances set seen_at = ${before(instanceRules.keptMs + 1000)} where id = 'i_1'`);
      expect(await board.prune()).toBe(1);
      expect((await board.list({ limit: 10 })).map(({ id }) => id)).toEqual(['i_2']);
    });

    it('tells the runs of one kind from those of another', async () => {
      const { db } = await opened();
      const [one, other] = ['one', 'other'].map((kind) => new PostgresRunRepository({ db, kind }));
      const audit = { actor: 'operator', action: 'a', subject: 's', requestId: 'r', at: 1 };
      const start = { subject: 's', request: {}, progress: {} };
      expect(await one!.start({ ...start, id: 'r_1' }, audit)).toBeDefined();
      expect(await other!.start({ ...start, id: 'r_2' }, audit)).toBeDefined();
      expect(await other!.find('r_1')).toBeUndefined();
      expect((await other!.list({ limit: 10 })).map(({ id }) => id)).toEqual(['r_2']);
    });

    const owe = (id: string, { ageMs = 0, dueMs = 0, lane = 'miniapp:app_1:event', parked = null as string | null } = {}) =>
      database().db.query(
        `insert into deliveries (id, kind, key, receiver, lane, integration_id, state, head, tries, attempts, due_at, created_at, parked_by, body)
         values ($1, 'event', $1, 'miniapp', $2, 'int_1', 'ready', true, 0, 0, ${before(dueMs)}, ${before(ageMs)}, $3, '\\x00')`,
        [id, lane, parked],
      );

    it('measures what waits', async () => {
      const { db } = await opened();
      const reader = new PostgresOperationsReader(db);
      expect(await reader.backlog()).toEqual({ waiting: 0, oldestMs: 0, lateMs: 0 });
      await owe('d_1', { ageMs: 60_000, dueMs: 10_000 });
      await owe('d_2', { ageMs: 90_000, dueMs: -10_000, lane: 'miniapp:app_2:event' });
      await owe('d_3', { ageMs: 900_000, dueMs: 800_000, parked: 'PAYMENTS_OFF' });
      const { waiting, oldestMs, lateMs } = await reader.backlog();
      expect(waiting).toBe(2);
      expect(oldestMs).toBeGreaterThanOrEqual(90_000);
      expect(oldestMs).toBeLessThan(100_000);
      expect(lateMs).toBeGreaterThanOrEqual(10_000);
      expect(lateMs).toBeLessThan(20_000);
      // What waits for an open circuit is late, too: a backlog that grows must show.
      await db.query(`insert into delivery_lanes (lane, failures, closed, look_at) values ('miniapp:app_1:event', 5, true, now())`);
      expect((await reader.backlog()).lateMs).toBeGreaterThanOrEqual(10_000);
      const late = async () => Object.entries((await reader.standing()).lateMs).flatMap(([circuit, ms]) => (ms >= 10_000 ? [circuit] : []));
      expect(await late()).toEqual(['open']);
      await db.query('update delivery_lanes set released_at = now()');
      expect(await late()).toEqual(['half-open']);
      await db.query('update delivery_lanes set closed = false');
      expect(await late()).toEqual(['closed']);
      await db.query('update delivery_lanes set paused_at = now()');
      expect(await late()).toEqual(['paused']);
      expect(await reader.backlog()).toMatchObject({ waiting: 2, lateMs: 0 });
    });

    it('counts what is stuck', async () => {
      const { db } = await opened();
      const reader = new PostgresOperationsReader(db);
      const lateMs = { closed: 0, open: 0, 'half-open': 0, paused: 0 };
      const clear = { troubled: 0, open: 0, 'half-open': 0, recovering: 0, paused: 0 };
      expect(await reader.standing()).toEqual({ parked: 0, failed: 0, lanes: clear, lateMs, hostAppsLeftAlone: 0 });
      for (const id of ['d_1', 'd_2', 'd_3']) await owe(id);
      await owe('d_4', { parked: 'PAYMENTS_OFF' });
      await db.query(`update deliveries set state = 'failed', ended_at = now() where id in ('d_1', 'd_2')`);
      await db.query(`insert into delivery_lanes (lane, failures, closed, look_at, released_at, paused_at) values
        ('l_1', 1, false, now(), null, null), ('l_2', 5, true, now(), null, null), ('l_3', 0, true, now(), now(), null), ('l_4', 0, true, now(), null, now()), ('l_5', 0, false, now(), now(), null)`);
      await db.query(`insert into asked_host_apps (client_id, failures, quiet_until, turn_at) values
        ('h_1', 3, now() + interval '1 minute', now()), ('h_2', 3, now() - interval '1 minute', now()), ('h_3', 0, null, now())`);
      const lanes = { troubled: 1, open: 1, 'half-open': 1, recovering: 1, paused: 1 };
      expect(await reader.standing()).toMatchObject({ parked: 1, failed: 2, lanes, hostAppsLeftAlone: 1 });
    });

    it('keeps one backlog a minute, and thins what is asked for over long', async () => {
      const { db } = await opened();
      const reader = new PostgresOperationsReader(db);
      await owe('d_1');
      await Promise.all([reader.sample(), reader.sample(), reader.sample()]);
      const [row] = await db.query<{ count: number }[]>('select count(*)::integer as count from backlog_samples');
      expect(row!.count).toBeLessThanOrEqual(2);
      const now = Date.now();
      const [found] = await reader.samples({ from: now - 120_000, to: now + 60_000 });
      expect(found).toMatchObject({ waiting: 1 });
      await db.query(`insert into backlog_samples (at, waiting, oldest_ms, late_ms)
        select date_trunc('minute', now()) - n * interval '1 minute', n, n, 0 from generate_series(1, 5000) n`);
      const all = await reader.samples({ from: now - backlogRules.keptMs, to: now + 60_000 });
      expect(all.length).toBeLessThanOrEqual(backlogRules.points);
      expect(Math.max(...all.map(({ waiting }) => waiting))).toBe(5000);
      expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).sort((a, b) => a - b));
    });

    it('says how much of each limit is used now', async () => {
      const { db } = await opened();
      const future = Date.now() + 60_000;
      await db.query(`insert into rate_limits (key, points, expire) values
        ('authorize:a', 12, ${future}), ('authorize:b', 61, ${future}), ('authorize:c', 99, 1), ('track:a', 5, ${future})`);
      expect(await new PostgresOperationsReader(db).limits({ authorize: 60, track: 300, settings: 300 })).toEqual([
        { limit: 'authorize', subjects: 2, most: 61, reached: 1 },
        { limit: 'settings', subjects: 0, most: 0, reached: 0 },
        { limit: 'track', subjects: 1, most: 5, reached: 0 },
      ]);
    });

    it('knows the database and which migrations it has', async () => {
      const { db } = await opened();
      const { version, size, connections, mostConnections, migrations } = await new PostgresOperationsReader(db).database();
      expect(version).toMatch(/^\d+/);
      expect(size).toBeGreaterThan(1_000_000);
      expect(connections).toBeLessThanOrEqual(mostConnections);
      expect(migrations.applied[0]).toBe('Partners1767225600000');
      expect(migrations).toMatchObject({ pending: [], unknown: [] });
    });
  });
});
