import type { DataSource } from 'typeorm';
import { PostgresAccountRepository } from '../../../src/adapters/out/postgres/accounts/postgres-account-repository';
import { PostgresCallerRepository } from '../../../src/adapters/out/postgres/credentials/postgres-caller-repository';
import { PostgresEvidenceLinkRepository } from '../../../src/adapters/out/postgres/evidence/postgres-evidence-link-repository';
import { PostgresSharedTaskStore } from '../../../src/adapters/out/postgres/sso/postgres-shared-task-store';
import { PostgresIdempotencyStore } from '../../../src/adapters/out/postgres/payments/postgres-idempotency-store';
import { PostgresInstanceRepository } from '../../../src/adapters/out/postgres/operations/postgres-instance-repository';
import { PostgresNonceRepository } from '../../../src/adapters/out/postgres/credentials/postgres-nonce-repository';
import { PostgresRateLimiter } from '../../../src/adapters/out/postgres/credentials/postgres-rate-limiter';
import { PostgresRefreshRepository } from '../../../src/adapters/out/postgres/figures/postgres-refresh-repository';
import { PostgresRefusedRequestRepository } from '../../../src/adapters/out/postgres/credentials/postgres-refused-request-repository';
import { PostgresRetention } from '../../../src/adapters/out/postgres/operations/postgres-retention';
import { PostgresSessionRepository } from '../../../src/adapters/out/postgres/accounts/postgres-session-repository';
import { PostgresDryRunRepository } from '../../../src/adapters/out/postgres/credentials/postgres-dry-run-repository';
import { PostgresSignInDelayStore } from '../../../src/adapters/out/postgres/accounts/postgres-sign-in-delay-store';
import { onEachDatabase } from '../each-database';

interface Sent {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The statements that a prune sends, from a pool that answers each with no rows. */
async function sentBy(prune: (db: DataSource) => Promise<number>): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const query = (one: Sent & { callback(error: null, result: { rows: [] }): void }) => {
    sent.push(one);
    one.callback(null, { rows: [] });
  };
  const client = { query, on: () => undefined, removeListener: () => undefined, release: () => undefined };
  await prune({ driver: { master: { connect: () => Promise.resolve(client) } } } as unknown as DataSource);
  return sent;
}

const days = { exchanges: 30, delivered: 30, failed: 90 };
const withDb = (db: DataSource) => ({ db }) as never;

/** Pruned tables, and the index by which each statement, in their order, must find expired rows. */
const prunes: readonly (readonly [string, (db: DataSource) => Promise<number>, readonly string[]])[] = [
  ['links to accounts', (db) => new PostgresAccountRepository(db).prune(), ['account_links_by_expiry']],
  ['callers', (db) => new PostgresCallerRepository(withDb(db)).prune(), ['caller_addresses_by_hour']],
  ['links to evidence', (db) => new PostgresEvidenceLinkRepository(withDb(db)).prune(), ['evidence_links_by_expiry']],
  ['shared work', (db) => new PostgresSharedTaskStore(withDb(db)).prune(), ['shared_tasks_by_expiry']],
  ['named calls', (db) => new PostgresIdempotencyStore(withDb(db)).prune(), ['idempotent_calls_by_expiry']],
  ['nonces', (db) => new PostgresNonceRepository(withDb(db)).prune(), ['used_nonces_by_expiry']],
  ['limits', (db) => new PostgresRateLimiter({ db, limits: {} }).prune(), ['rate_limits_by_expiry']],
  ['refreshes', (db) => new PostgresRefreshRepository(withDb(db)).prune(), ['token_refreshes_by_minute']],
  ['refused requests', (db) => new PostgresRefusedRequestRepository(withDb(db)).prune(), ['refused_requests_by_expiry']],
  ['sessions', (db) => new PostgresSessionRepository(db).prune(), ['account_sessions_by_expiry']],
  ['dry runs', (db) => new PostgresDryRunRepository(withDb(db)).prune(), ['dry_run_counts_by_time', 'dry_run_calls_by_time']],
  ['delays', (db) => new PostgresSignInDelayStore(db).prune(), ['sign_in_delays_by_expiry']],
];

const grownTo = 30_000;
/** Much that has not expired, as a service under load has it, and rows deleted before. */
const grown = [
  `insert into used_nonces (partner, nonce, expires_at) select 'hst_1', 'n' || n, now() + interval '5 minutes' from generate_series(1, ${grownTo}) n`,
  `insert into rate_limits (key, points, expire)
   select 'track:' || n, 1, (extract(epoch from now()) + 60) * 1000 from generate_series(1, ${grownTo}) n`,
  `insert into exchanges (id, request_id, call, at, ms, status, checks, legs)
   select 'x' || n, 'r', 'connect', now() - n * interval '1 minute', 1, 200, '{}', '[]' from generate_series(1, ${grownTo}) n`,
  `insert into deliveries (id, integration_id, kind, key, body, state, due_at, created_at, ended_at)
   select 'd' || n, 'int_1', 'event', n, '', 'delivered', now(), now(), now() from generate_series(1, ${grownTo}) n`,
  `insert into delivery_attempts (delivery_id, number, at, ms) select 'd' || n, 1, now(), 1 from generate_series(1, ${grownTo}) n`,
];
const grownTables = ['used_nonces', 'rate_limits', 'exchanges', 'deliveries', 'delivery_attempts'];

onEachDatabase((kind, database) => {
  async function planOf({ text, values }: Sent, settings: readonly string[] = []): Promise<string> {
    const runner = database().db.createQueryRunner();
    try {
      await runner.startTransaction();
      for (const setting of settings) await runner.query(`set local ${setting} = off`);
      const lines: { 'QUERY PLAN': string }[] = await runner.query(`explain ${text}`, [...values]);
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  }

  describe(`a pruned row: ${kind}`, () => {
    // On tables as small as these the planner would read them whole: it gets the statistics of large ones.
    const asOfLargeTables = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort'];

    it.each(prunes)('of %s is found by its index, and removed by its row location', async (_what, prune, indexes) => {
      const sent = await sentBy(prune);
      const found = await Promise.all(sent.map((one) => planOf(one, asOfLargeTables)));
      for (const [n, index] of indexes.entries()) {
        expect(found[n]).toMatch(new RegExp(`Index Scan using ${index} on .*\\n\\s*Index Cond:`));
        expect(found[n]).toMatch(/Tid Scan on/);
      }
      expect(found).toHaveLength(indexes.length);
    });

    it('of the few instances is removed by row location', async () => {
      const [sent] = await sentBy((db) => new PostgresInstanceRepository(db).prune());
      expect(await planOf(sent!, asOfLargeTables)).toMatch(/Tid Scan on instances/);
    });

    describe('where tables have grown', () => {
      beforeAll(async () => {
        await database().wipe();
        for (const statement of [...grown, ...grownTables.map((table) => `analyze ${table}`)]) await database().db.query(statement);
      }, 30_000);
      afterAll(async () => {
        await database().wipe();
        for (const table of grownTables) await database().db.query(`analyze ${table}`);
      });

      it('is found without reading them', async () => {
        const all = [
          ...(await sentBy((db) => new PostgresNonceRepository(withDb(db)).prune())),
          ...(await sentBy((db) => new PostgresRateLimiter({ db, limits: {} }).prune())),
          ...(await sentBy((db) => new PostgresRetention({ db, days }).prune())),
        ];
        const whole = new RegExp(`Seq Scan on (?:${grownTables.join('|')})`);
        // Erased users are few: a join from those few to their deliveries, whose plan is the planner's.
        for (const one of all.filter(({ name }) => name !== 'deliveries.prune-erased'))
          expect([one.name, whole.exec(await planOf(one))?.[0]]).toEqual([one.name, undefined]);
        expect(all).toHaveLength(8);
      });
    });
  });
});
