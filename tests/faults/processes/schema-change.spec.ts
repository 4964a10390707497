import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { databaseKinds } from '../../support/postgres/database';
import { until } from '../../support/service/service';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import { atRate, type Operation } from '../harness/driver';
import { figure, inThisForm, within } from '../harness/fault-run';
import { idIn, PayingStage } from '../harness/paying-stage';

/** Payments that are there before: what the new column is filled in for. */
const present = inThisForm({ short: 200, long: 5000 });
const perSecond = inThisForm({ short: 20, long: 100 });
/** How long another reader holds on to the table that is to be changed, in milliseconds: more than a call can wait. */
const heldMs = inThisForm({ short: 2500, long: 10_000 });
/** Kills of the migration on its way. */
const kills = inThisForm({ short: 1, long: 5 });
const processes = 2;
/** How long a process may take to come up and get so far, in milliseconds, on a machine that has others to serve. */
const startsWithinMs = 30_000;

// The embedded database serves one process.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

describeOnPostgres('a schema that changes under load', () => {
  let stage: PayingStage;
  let url: string;
  let reader: Client;
  beforeAll(async () => {
    stage = await PayingStage.open({ processes, hostApp: new StubPayingHostApp(), env: { MIGRATE: 'on' } });
    url = (stage.database.target as { url: string }).url;
    reader = new Client({ connectionString: url });
    await reader.connect();
    await stage.created(present);
  }, 120_000);
  afterAll(async () => {
    await reader.end();
    expect(await stage.close()).toEqual([0, 0, 0]);
  });

  const went: Operation[] = [];
  const noted = async (operation: Promise<Operation>): Promise<Operation> => {
    went.push(await operation);
    return operation;
  };
  const payAndComplete = async (turn: number): Promise<void> => {
    const members = '"order":{"currency":"USD","amount":"1.10"}';
    const made = await noted(stage.call({ path: 'orders/create-order-payment', key: '', members, turn }));
    if (made.outcome !== 'ok') return;
    const id = idIn(made.text);
    const result = `"order_payment_id":"${id}","payment_status":"paid"`;
    await noted(stage.call({ path: 'orders/complete-order', key: id, members: result, turn: turn + 1 }));
  };

  const migration = (): ChildProcess => {
    const script = join(__dirname, '../harness/schema-change.cjs');
    return spawn(process.execPath, [script], { env: { ...process.env, DATABASE_URL: url }, stdio: ['ignore', 'pipe', 'inherit'] });
  };
  const ended = (child: ChildProcess) =>
    new Promise<{ code: number | null; output: string }>((resolve) => {
      let output = '';
      child.stdout?.on('data', (piece: Buffer) => (output += piece.toString('utf8')));
      child.once('exit', (code) => resolve({ code, output }));
    });
  const value = async (text: string): Promise<number> => (await reader.query<{ n: number }>(`select (${text})::int as n`)).rows[0]?.n ?? -1;
  const hasColumn = `select count(*) from pg_attribute where attrelid = 'order_payments'::regclass and attname = 'note' and not attisdropped`;

  /** Kills the migration when it has filled in some more rows. */
  const killMidway = async (): Promise<void> => {
    const child = migration();
    const over = ended(child);
    await until(
      () => value(hasColumn),
      (columns) => columns === 1,
      startsWithinMs,
    );
    const filled = 'select count(*) from order_payments where note is not null';
    const before = await value(filled);
    await until(
      () => value(filled),
      (rows) => rows > before,
      startsWithinMs,
    );
    child.kill('SIGKILL');
    expect((await over).code).toBeNull();
  };

  it(
    'R34: no request fails while a migration waits, is killed half-way and runs again',
    async () => {
      const startedAt = performance.now();
      let changing = true;
      const load = atRate({ perSecond, volley: 1, atOnce: 200, goesOn: () => changing }, payAndComplete);
      try {
        // Who changes the table must wait for the one who reads it, and whoever comes then, behind both.
        await reader.query('begin');
        await reader.query('select count(*) from order_payments');
        const first = migration();
        await until(
          // On another session: one in a transaction sees this view as it was when it looked first.
          () => stage.rows(`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
          (waiting) => waiting > 0,
          startsWithinMs,
        );
        await pause(heldMs);
        expect(await value(hasColumn)).toBe(0);
        first.kill('SIGKILL');
        await reader.query('commit');
        for (let kill = 0; kill < kills; kill++) await killMidway();
        const { code, output } = await ended(migration());
        expect([code, output]).toEqual([0, expect.stringContaining('FillNote2099000000003')]);
        // An old version that is started on what a newer one has left, as where the newer one is taken back.
        await stage.instances.begin(processes);
        const turns = went.length;
        await until(
          () => Promise.resolve(went.length - turns),
          (more) => more > 20,
        );
      } finally {
        changing = false;
        await load;
      }
      const acknowledged = new Set(went.filter(({ outcome, key }) => outcome === 'ok' && key !== '').map(({ key }) => key));
      const hooks = await until(
        async () => stage.webhooks(),
        (found) => found.size >= acknowledged.size,
      );
      const failed = went.filter(({ outcome }) => outcome !== 'ok');
      const counts = {
        ...{ rows: present, requests: went.length, failed: failed.length, kills: kills + 1 },
        ...{ acknowledged: acknowledged.size, lost: [...acknowledged].filter((id) => !hooks.has(id)).length },
        longestMs: Math.round(Math.max(...went.map((one) => one.endedAt - one.startedAt))),
      };
      figure('R34', counts, startedAt);
      expect(failed.slice(0, 3)).toEqual([]);
      expect(counts.lost).toBe(0);
      expect(await value(`select count(*) from pg_index where indexrelid = 'order_payments_note'::regclass and indisvalid`)).toBe(1);
    },
    within(60_000),
  );
});
