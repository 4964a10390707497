import { MemoryInstanceRepository } from '../../../src/adapters/out/memory/operations/memory-instance-repository';
import { MemoryRegistry } from '../../../src/adapters/out/memory/partners/memory-registry';
import { MemoryRunRepository } from '../../../src/adapters/out/memory/runs/memory-run-repository';
import { PostgresInstanceRepository } from '../../../src/adapters/out/postgres/operations/postgres-instance-repository';
import { PostgresOperationsReader } from '../../../src/adapters/out/postgres/operations/postgres-operations-reader';
import { PostgresRunRepository } from '../../../src/adapters/out/postgres/runs/postgres-run-repository';
import { instanceRules } from '../../../src/domain/operations/instance';
import { backlogRules } from '../../../src/domain/operations/ports';
import { ManualClock } from '../../support/manual-clock';
import { anInstance, instanceRepositoryContract } from './instance-repository.contract';
import { onEachDatabase } from '../each-database';
import { runRepositoryContract } from './run-repository.contract';

instanceRepositoryContract('memory', async () => {
  const [registry, clock] = [new MemoryRegistry(), new ManualClock()];
  const repository = new MemoryInstanceRepository({ registry, clock });
  return {
    repository,
    silence: async (_id, ms) => {
      clock.advance(ms);
    },
    audited: async () => registry.audit,
  };
});

runRepositoryContract('memory', async () => {
  const [registry, clock] = [new MemoryRegistry(), new ManualClock()];
  return {
    repository: new MemoryRunRepository({ registry, clock }),
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

  instanceRepositoryContract(name, async () => {
    const { db, audited } = await opened();
    const silence = (id: string, ms: number) => db.query(`update instances set seen_at = ${before(ms)} where id = $1`, [id]);
    return { repository: new PostgresInstanceRepository(db), silence, audited };
  });

  runRepositoryContract(name, async () => {
    const { db, audited } = await opened();
    const silence = (id: string, ms: number) => db.query(`update long_runs set beat_at = ${before(ms)} where id = $1`, [id]);
    return { repository: new PostgresRunRepository({ db, kind: 'test' }), silence, audited };
  });

  describe(`operations: ${name}`, () => {
    it('forgets instances that were silent for an hour', async () => {
      const { db } = await opened();
      const repository = new PostgresInstanceRepository(db);
      await repository.announce(anInstance('i_1'));
      await repository.announce(anInstance('i_2'));
      await db.query(`update instances set seen_at = ${before(instanceRules.keptMs + 1000)} where id = 'i_1'`);
      expect(await repository.prune()).toBe(1);
      expect((await repository.list({ limit: 10 })).map(({ id }) => id)).toEqual(['i_2']);
    });

    it('distinguishes runs of different kinds', async () => {
      const { db } = await opened();
      const [one, other] = ['one', 'other'].map((kind) => new PostgresRunRepository({ db, kind }));
      const audit = { actor: 'operator', action: 'a', subject: 's', requestId: 'r', at: 1 };
      const start = { subject: 's', request: {}, progress: {} };
      expect(await one!.start({ ...start, id: 'r_1' }, audit)).toBeDefined();
      expect(await other!.start({ ...start, id: 'r_2' }, audit)).toBeDefined();
      expect(await other!.find('r_1')).toBeUndefined();
      expect((await other!.list({ limit: 10 })).map(({ id }) => id)).toEqual(['r_2']);
    });

    const enqueue = (id: string, { ageMs = 0, dueMs = 0, queue = 'miniapp:app_1:event', parked = null as string | null } = {}) =>
      database().db.query(
        `insert into deliveries (id, kind, key, receiver, queue, integration_id, state, head, tries, attempts, due_at, created_at, parked_by, body)
         values ($1, 'event', $1, 'miniapp', $2, 'int_1', 'ready', true, 0, 0, ${before(dueMs)}, ${before(ageMs)}, $3, '\\x00')`,
        [id, queue, parked],
      );

    it('measures what waits', async () => {
      const { db } = await opened();
      const reader = new PostgresOperationsReader(db);
      expect(await reader.backlog()).toEqual({ waiting: 0, oldestMs: 0, lateMs: 0 });
      await enqueue('d_1', { ageMs: 60_000, dueMs: 10_000 });
      await enqueue('d_2', { ageMs: 90_000, dueMs: -10_000, queue: 'miniapp:app_2:event' });
      await enqueue('d_3', { ageMs: 900_000, dueMs: 800_000, parked: 'PAYMENTS_OFF' });
      const { waiting, oldestMs, lateMs } = await reader.backlog();
      expect(waiting).toBe(2);
      expect(oldestMs).toBeGreaterThanOrEqual(90_000);
      expect(oldestMs).toBeLessThan(100_000);
      expect(lateMs).toBeGreaterThanOrEqual(10_000);
      expect(lateMs).toBeLessThan(20_000);
      // What waits for an open circuit is late, too: a backlog that grows must show.
      await db.query(
        `insert into endpoint_queues (queue, failures, circuit_open, probe_at) values ('miniapp:app_1:event', 5, true, now())`,
      );
      expect((await reader.backlog()).lateMs).toBeGreaterThanOrEqual(10_000);
      const late = async () => Object.entries((await reader.standing()).lateMs).flatMap(([circuit, ms]) => (ms >= 10_000 ? [circuit] : []));
      expect(await late()).toEqual(['open']);
      await db.query('update endpoint_queues set recovering_since = now()');
      expect(await late()).toEqual(['half-open']);
      await db.query('update endpoint_queues set circuit_open = false');
      expect(await late()).toEqual(['closed']);
      await db.query('update endpoint_queues set paused_at = now()');
      expect(await late()).toEqual(['paused']);
      expect(await reader.backlog()).toMatchObject({ waiting: 2, lateMs: 0 });
    });

    it('counts stuck deliveries and endpoints', async () => {
      const { db } = await opened();
      const reader = new PostgresOperationsReader(db);
      const lateMs = { closed: 0, open: 0, 'half-open': 0, paused: 0 };
      const clear = { failing: 0, open: 0, 'half-open': 0, recovering: 0, paused: 0 };
      expect(await reader.standing()).toEqual({ parked: 0, failed: 0, queues: clear, lateMs, hostAppsLeftAlone: 0 });
      for (const id of ['d_1', 'd_2', 'd_3']) await enqueue(id);
      await enqueue('d_4', { parked: 'PAYMENTS_OFF' });
      await db.query(`update deliveries set state = 'failed', ended_at = now() where id in ('d_1', 'd_2')`);
      await db.query(`insert into endpoint_queues (queue, failures, circuit_open, probe_at, recovering_since, paused_at) values
        ('l_1', 1, false, now(), null, null), ('l_2', 5, true, now(), null, null), ('l_3', 0, true, now(), now(), null), ('l_4', 0, true, now(), null, now()), ('l_5', 0, false, now(), now(), null)`);
      await db.query(`insert into polled_host_apps (client_id, failures, backoff_until, turn_at) values
        ('h_1', 3, now() + interval '1 minute', now()), ('h_2', 3, now() - interval '1 minute', now()), ('h_3', 0, null, now())`);
      const queues = { failing: 1, open: 1, 'half-open': 1, recovering: 1, paused: 1 };
      expect(await reader.standing()).toMatchObject({ parked: 1, failed: 2, queues, hostAppsLeftAlone: 1 });
    });

    it('stores one backlog a minute, and thins out a long range', async () => {
      const { db } = await opened();
      const reader = new PostgresOperationsReader(db);
      await enqueue('d_1');
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
        { limit: 'authorize', subjects: 2, busiest: 61, reached: 1 },
        { limit: 'settings', subjects: 0, busiest: 0, reached: 0 },
        { limit: 'track', subjects: 1, busiest: 5, reached: 0 },
      ]);
    });

    it('knows the database and which migrations it has', async () => {
      const { db } = await opened();
      const { version, size, connections, maxConnections, migrations } = await new PostgresOperationsReader(db).database();
      expect(version).toMatch(/^\d+/);
      expect(size).toBeGreaterThan(1_000_000);
      expect(connections).toBeLessThanOrEqual(maxConnections);
      expect(migrations.applied[0]).toBe('Partners1795737600000');
      expect(migrations).toMatchObject({ pending: [], unknown: [] });
    });
  });
});
