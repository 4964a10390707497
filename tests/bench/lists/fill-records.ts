import type { BenchDatabase } from '../bench-database';
import { insertRows, madeAt, perMille, rowId, wordOfRow, type RowsOf } from './insert-rows';

const sample = `'\\x01026b31'::bytea`;
const pair = { client_id: 's.client_id', app_id: 's.app_id' };

/** Fills the tables whose lists open nothing that is sealed. */
export async function fillRecords(database: BenchDatabase, rows: number): Promise<void> {
  const tables = [
    deliveries(rows),
    attempts(rows),
    exchanges(rows),
    transactions(rows),
    auditEntries(rows),
    refusedRequests(rows),
    accounts(rows),
    sessions(rows),
    evidenceLinks(rows),
    // So many at most are kept of all partners.
    runs(rows / 5),
    resends(rows / 100),
    conflicts(rows),
  ];
  for (const table of tables) await insertRows(database, table);
  await database.query(proposals);
  await database.query(queuesInTrouble);
  await sumExchanges(database);
}

const state = wordOfRow({ delivered: 970, failed: 10, ready: 20 });
const isParked = `${perMille} between 20 and 29`;
const kind = `case when ${perMille} > 904 then 'event' else 'completion' end`;

/** Nothing is due: what waits does so for a year. */
const deliveries = (count: number): RowsOf => ({
  table: 'deliveries',
  count,
  columns: {
    ...{ id: rowId, integration_id: 's.integration_id', kind, receiver: `'miniapp'`, key: rowId, body: sample, state },
    queue: `'miniapp:' || s.app_id || ':' || ${kind}`,
    ...{ attempts: '1', tries: '1', parked_by: `case when ${isParked} then 'payments are off' end`, due_at: `now() + interval '1 year'` },
    ...{ created_at: madeAt(count), ended_at: `case when ${perMille} not between 10 and 29 then ${madeAt(count)} + interval '1 s' end` },
  },
});

const attempts = (count: number): RowsOf => ({
  table: 'delivery_attempts',
  count,
  columns: { delivery_id: rowId, number: '1', at: madeAt(count), ms: '12', status: `case when ${perMille} < 30 then 503 else 200 end` },
});

const legs = JSON.stringify([
  { to: 'hostapp', step: 'user_data', attempt: 1, startedAt: 1_790_000_000_000, ms: 12.5, status: 200 },
  { to: 'miniapp', step: 'miniapp_token', attempt: 1, startedAt: 1_790_000_000_013, ms: 20.25, status: 200 },
]);
const calls = wordOfRow({ connect: 500, authorize: 200, 'create-order-payment': 100, 'get-payment-status': 100, 'complete-order': 50 });

const exchanges = (count: number): RowsOf => ({
  table: 'exchanges',
  count,
  columns: {
    ...{ id: rowId, request_id: `'req-' || n`, call: calls, ...pair, reference: `'us**42'`, at: madeAt(count) },
    ms: `case when ${perMille} = 999 then 1500 else 20 + n % 400 end`,
    status: `case when ${perMille} < 20 then 400 when ${perMille} < 22 then 500 else 200 end`,
    error_code: `case when ${perMille} < 20 then case when n % 5000 = 11 then 'INVALID_AUTH_CODE' else 'UNEXPECTED_RESPONSE_ERROR' end
      when ${perMille} < 22 then 'UNKNOWN_ERROR' end`,
    failed_side: `case when ${perMille} < 20 then 'miniapp' when ${perMille} < 22 then 'platform' end`,
    failed_step: `case when ${perMille} < 20 then 'miniapp_token' end`,
    ...{ checks: `array['basic']`, refused_check: `case when ${perMille} = 0 then 'signature' end` },
    ...{
      refused_of: `case when ${perMille} = 0 then 'host-app' end`,
      part_of: `case when n % 10 = 5 then ${rowId} end`,
      legs: `'${legs}'::jsonb`,
    },
  },
});

const transactions = (count: number): RowsOf => ({
  table: 'miniapp_transactions',
  count,
  columns: {
    ...{ id: rowId, integration_id: 's.integration_id', ...pair, transaction_id: `'tx-' || n`, content_digest: `sha256(n::text::bytea)` },
    ...{ status: wordOfRow({ paid: 950, refunded: 20, failed: 20, cancelled: 9 }), currency: wordOfRow({ USD: 800, EUR: 199, JPY: 1 }) },
    ...{
      amount: '24.90',
      amount_text: `'24.90'`,
      order_payment_id: `'pay-' || n`,
      miniapp_order_id: `'order-' || n`,
      sealed_report: sample,
    },
    ...{ at: madeAt(count), received_at: madeAt(count), request_id: `'req-' || n`, user_digest: `sha256(('user-' || n % 50000)::bytea)` },
  },
});

const auditEntries = (count: number): RowsOf => ({
  table: 'audit_log',
  count,
  columns: {
    ...{ at: madeAt(count), actor: `case when n % 2 = 0 then 'operator' else 'account:' || ${rowId} end` },
    action: wordOfRow({ 'session.began': 700, 'host-app.changed': 100, 'integration.changed': 199, 'resend.started': 1 }),
    subject: `case n % 4 when 0 then 'integration:' || s.client_id || '/' || s.app_id when 1 then 'host-app:' || s.client_id
      when 2 then 'miniapp:' || s.app_id else 'account:' || ${rowId} end`,
    before: `'{"name": "Ada", "features": {"sso": true}}'::jsonb`,
    ...{ after: `'{"name": "Ada", "features": {"sso": false}}'::jsonb`, request_id: `'req-' || n`, previous_hash: 'md5(n::text)' },
    hash: 'md5((n + 1)::text)',
  },
});

const refusedRequests = (count: number): RowsOf => ({
  table: 'refused_requests',
  count,
  columns: {
    ...{ exchange_id: rowId, partner_kind: `'host-app'`, partner_id: 's.client_id', sealed: sample, received_at: 'now()' },
    expires_at: `now() + interval '1 day'`,
  },
});

const accounts = (count: number): RowsOf => ({
  table: 'accounts',
  count,
  columns: {
    id: rowId,
    email: `n || '@example.com'`,
    name: `'Ada ' || n`,
    role: `'host-app'`,
    client_id: 's.client_id',
    created_at: madeAt(count),
  },
});

const sessions = (count: number): RowsOf => ({
  table: 'account_sessions',
  count,
  columns: {
    ...{ digest: 'md5(n::text)', id: rowId, account_id: rowId, created_at: madeAt(count), seen_at: 'now()' },
    ...{ expires_at: `now() + interval '7 days'`, address: `'203.0.113.7'`, agent: `'Firefox'` },
  },
});

const evidenceLinks = (count: number): RowsOf => ({
  table: 'evidence_links',
  count,
  columns: {
    ...{ id: rowId, token_digest: 'sha256(n::text::bytea)', exchange_id: rowId, ...pair, sealed: sample, created_by: `'operator'` },
    ...{ created_at: madeAt(count), expires_at: `now() + interval '7 days'` },
  },
});

const results = JSON.stringify(
  Array.from({ length: 24 }, (_, n) => ({
    id: `sign-on.scenario-${n}`,
    verdict: n % 6 === 0 ? 'failed' : 'passed',
    came: ['200 in 12 ms'],
    ms: 12,
  })),
);

const runs = (count: number): RowsOf => ({
  table: 'long_runs',
  count,
  columns: {
    ...{
      id: rowId,
      kind: `case when n % 100 = 0 then 'rewrap' else 'conformance-run' end`,
      subject: `'miniapp:' || s.app_id`,
      state: `'done'`,
    },
    ...{ started_at: madeAt(count), beat_at: madeAt(count), ended_at: madeAt(count), cancel_requested: 'false' },
    request: `jsonb_build_object('role', 'miniapp', 'clientId', s.client_id, 'appId', s.app_id, 'only', '[]'::jsonb)`,
    progress: `jsonb_build_object('target', 'https://mini.example', 'of', 24, 'results', '${results}'::jsonb)`,
  },
});

const resends = (count: number): RowsOf => ({
  table: 'resends',
  count,
  columns: {
    ...{ id: rowId, filter: `'{"state": "failed"}'::jsonb`, per_second: '10', state: `'done'`, count: '100', fed_to: '0', fed_at: 'now()' },
    ...{ created_at: madeAt(count), ended_at: madeAt(count) },
  },
});

/** A report that contradicts the result of one payment in five hundred; half of them are resolved. */
const conflicts = (count: number): RowsOf => ({
  table: 'payment_conflicts',
  count: count / 500,
  columns: {
    ...{ integration_id: `(select integration_id from spread where slot = (n * 500) % 19800)`, order_payment_id: `'pay-' || n * 500` },
    ...{ report_digest: 'sha256(n::text::bytea)', kind: `'conflict'`, completion: sample, request_id: `'req-' || n`, at: 'now()' },
    resolved_at: 'case when n % 2 = 0 then now() end',
  },
});

const proposals = `
  update integrations set status = 'proposed', proposal = '{"by": "miniapp", "at": 1790000000000}' where id > 'int_00199' and id like '%77'`;

const queuesInTrouble = `
  insert into endpoint_queues (queue, failures, circuit_open, probe_at)
  select queue, 3, true, now() + interval '1 year' from (select distinct queue from deliveries where state = 'ready' and parked_by is null) waiting`;

const sums = 'count(*), sum(ms), sum(12), sum(20), min(at), max(at)';
const sumKey = `client_id, app_id, call, status, coalesce(error_code, ''), coalesce(failed_side, ''), ''`;
const keyOfAll = `'', '', call, status, coalesce(error_code, ''), coalesce(failed_side, ''), ''`;
const halfDay = `date_bin('12 hours', at, timestamptz 'epoch')`;
const grains = {
  hour: { slot: `date_trunc('hour', at)`, key: sumKey, by: '1, 2, 3, 4, 5, 6, 7, 8, 9' },
  'half-day': { slot: halfDay, key: sumKey, by: '1, 2, 3, 4, 5, 6, 7, 8, 9' },
  'all-hour': { slot: `date_trunc('hour', at)`, key: keyOfAll, by: '1, 2, call, status, 7, 8' },
} as const;

/** As the service itself would in half an hour: all that is there is summed up to the present half-day, and the rest is left to it. */
async function sumExchanges(database: BenchDatabase): Promise<void> {
  const until = `date_bin('12 hours', now(), timestamptz 'epoch')`;
  for (const [grain, { slot, key, by }] of Object.entries(grains)) {
    await database.query(
      `insert into figure_sums select '${grain}', ${slot}, ${key}, ${sums} from exchanges where at < ${until} group by ${by}`,
    );
  }
  await database.query(
    `insert into figure_pairs select ${halfDay}, client_id, app_id, count(*), count(*) filter (where status >= 400)
     from exchanges where at < ${until} group by 1, 2, 3`,
  );
  await database.query(
    `insert into figure_progress select grain, ${until} from unnest(array['minute', 'hour', 'half-day', 'all-hour']) grain on conflict (grain) do update set until = ${until}`,
  );
}
