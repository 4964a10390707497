import { PostgresSharedTaskStore } from '../../../src/adapters/out/postgres/sso/postgres-shared-task-store';
import { PostgresIdempotencyStore } from '../../../src/adapters/out/postgres/payments/postgres-idempotency-store';
import { PostgresNonceRepository } from '../../../src/adapters/out/postgres/credentials/postgres-nonce-repository';
import { PostgresRetention } from '../../../src/adapters/out/postgres/operations/postgres-retention';
import { openReferenceIndex } from '../../../src/adapters/out/postgres/sealing/reference-index';
import { createDataSource } from '../../../src/adapters/out/postgres/connection/data-source';
import { CollectingLog } from '../../support/collecting-log';
import { testBox } from '../../support/postgres/test-box';
import { onEachDatabase } from '../each-database';

const days = { exchanges: 30, delivered: 30, failed: 90 };

onEachDatabase((name, database) => {
  const query = <Row>(sql: string, values?: unknown[]): Promise<Row[]> => database().db.query(sql, values);
  const count = async (table: string): Promise<number> => Number((await query<{ n: string }>(`select count(*) as n from ${table}`))[0]?.n);
  const retention = () => new PostgresRetention({ db: database().db, days });

  const exchanges = (many: number, daysAgo: number): Promise<unknown> =>
    query(
      `insert into exchanges (id, request_id, call, at, ms, status, checks, legs)
       select $2 || '-' || n, 'r', 'connect', now() - $2::integer * interval '1 day', 1, 200, '{}', '[]' from generate_series(1, $1::integer) n`,
      [many, String(daysAgo)],
    );
  /** Deliveries with two attempts each, made and ended `daysAgo`. */
  const deliveries = async (many: number, state: string, daysAgo: number): Promise<void> => {
    await query(
      `insert into deliveries (id, integration_id, kind, key, body, state, due_at, created_at, ended_at)
       select concat_ws('-', $2::text, $3::text, n), 'int_1', 'event', n, '', $2, now() - age, now() - age, case when $2 <> 'ready' then now() - age end
       from generate_series(1, $1::integer) n, lateral (select $3::integer * interval '1 day' as age) of`,
      [many, state, String(daysAgo)],
    );
    await query(
      `insert into delivery_attempts (delivery_id, number, at, ms)
       select id, number, now(), 1 from deliveries, generate_series(1, 2) number where id like $1 on conflict do nothing`,
      [`${state}-${String(daysAgo)}-%`],
    );
  };

  describe(`retention: ${name}`, () => {
    beforeEach(() => database().wipe());

    it('removes exchanges after their days, in batches, and none before', async () => {
      await exchanges(2500, 31);
      await exchanges(7, 29);
      expect([await retention().prune(), await count('exchanges')]).toEqual([2500, 7]);
      expect([await retention().prune(), await count('exchanges')]).toEqual([0, 7]);
    });

    it('removes ended deliveries with their attempts, each kind after its days', async () => {
      for (const state of ['delivered', 'failed', 'ready']) {
        for (const daysAgo of [29, 31, 89, 91, 1000]) await deliveries(3, state, daysAgo);
      }
      expect(await retention().prune()).toBe(3 * 4 + 3 * 2);
      const left = await query(`select state, count(*)::integer as n from deliveries group by 1 order by 1`);
      expect(left).toEqual([
        { state: 'delivered', n: 3 },
        { state: 'failed', n: 9 },
        { state: 'ready', n: 15 },
      ]);
      expect(await count('delivery_attempts')).toBe(2 * 27);
      expect(await count('delivery_attempts a left join deliveries d on d.id = a.delivery_id where d.id is null')).toBe(0);
    });

    it('removes no deliveries while a bulk resend is running', async () => {
      await deliveries(3, 'delivered', 31);
      await query(`
        insert into resends (id, filter, per_second, state, count, fed_to, fed_at, created_at)
        values ('rs_1', '{}', 1, 'running', 1500, 0, now(), now() - interval '91 days')`);
      await query(`
        insert into resend_items (resend_id, seq, delivery_id, state_before) select 'rs_1', n, n, 'failed' from generate_series(1, 1500) n`);
      expect([await retention().prune(), await count('deliveries'), await count('resend_items')]).toEqual([0, 3, 1500]);
      await query(`update resends set state = 'done', ended_at = now() - interval '91 days'`);
      expect([await retention().prune(), await count('deliveries')]).toEqual([3 + 1, 0]);
      expect([await count('resends'), await count('resend_items')]).toEqual([0, 0]);
    });

    it('finds what goes by an index, not by reading the table', async () => {
      await exchanges(2000, 5);
      await exchanges(20, 31);
      await query('analyze exchanges');
      const plans = await database().db.transaction(async (manager) => {
        await manager.query('set local enable_seqscan = off');
        await manager.query('set local enable_sort = off');
        const explain = async (sql: string) => JSON.stringify(await manager.query(`explain ${sql}`));
        return [
          await explain(`select id from exchanges where at < now() - interval '30 days' limit 1000`),
          await explain(`select id from deliveries where state = 'failed' and ended_at < now() order by ended_at limit 1000`),
        ];
      });
      expect(plans[0]).toContain('exchanges_at');
      expect(plans[1]).toContain('deliveries_ended');
    });

    it('removes answers, nonces and shared work that have expired', async () => {
      const { db } = database();
      const deps = { db, box: testBox(), index: await openReferenceIndex(db, testBox()), log: new CollectingLog() };
      for (const age of ['25 hours', '-1 hours']) {
        const expiry = `now() - interval '${age}' + interval '1 hour'`;
        await query(`insert into idempotent_calls (key_digest, body_digest, lease, lease_until, expires_at)
          select decode(md5(n || '${age}'), 'hex'), '', '', now(), ${expiry} from generate_series(1, 1200) n`);
        await query(`insert into used_nonces (partner, nonce, expires_at) select '${age}', n, ${expiry} from generate_series(1, 1200) n`);
        await query(`insert into shared_tasks (purpose, key_digest, lease, lease_until, state, expires_at)
          select '${age}', decode(md5(n::text), 'hex'), '', now(), 'failed', ${expiry} from generate_series(1, 1200) n`);
      }
      const stores = [new PostgresIdempotencyStore(deps), new PostgresNonceRepository(deps), new PostgresSharedTaskStore(deps)];
      for (const store of stores) expect(await store.prune()).toBe(1200);
      for (const table of ['idempotent_calls', 'used_nonces', 'shared_tasks']) expect(await count(table)).toBe(1200);
    });

    if (name === 'postgres') {
      it('runs on one instance at a time: the second one removes nothing', async () => {
        await exchanges(5, 31);
        const other = await createDataSource(database().target).initialize();
        try {
          await other.transaction(async (manager) => {
            await manager.query(`select pg_advisory_xact_lock(hashtextextended('pierhead-prune', 0))`);
            expect([await retention().prune(), await count('exchanges')]).toEqual([0, 5]);
          });
          expect(await retention().prune()).toBe(5);
        } finally {
          await other.destroy();
        }
      });
    }
  });
});
