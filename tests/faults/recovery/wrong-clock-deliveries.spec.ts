import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { databaseKinds } from '../../support/postgres/database';
import { startServiceProcess } from '../../support/service/service-process';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import { json } from '../../support/partners/stub-behaviours';
import { waitsMs, jitter } from '../../../src/domain/deliveries/schedule';
import { figure, within } from '../harness/fault-run';
import { PayingStage } from '../harness/paying-stage';

// The embedded database serves one process, and is for development.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

const hourMs = 3_600_000;
const shifts = [hourMs, -hourMs, 30 * 24 * hourMs, -30 * 24 * hourMs];
/** Until an instance that rests looks again, and the machine has done other work beside. */
const patienceMs = 4000;

describeOnPostgres('an instance whose clock is wrong', () => {
  let stage: PayingStage;
  beforeAll(async () => {
    const build = process.env['FAULT_BUILD'];
    stage = await PayingStage.open({ processes: 1, hostApp: new StubPayingHostApp(), ...(build !== undefined && { build }) });
  }, 60_000);
  afterAll(async () => {
    await stage.close();
  }, 60_000);

  it.each(shifts)(
    'does not postpone deliveries that failed there, even after it is gone (%d ms)',
    async (shiftMs) => {
      const startedAt = performance.now();
      const { target } = stage.database;
      if (target.kind !== 'postgres') throw new Error('The embedded database serves one process');
      const clock = { NODE_OPTIONS: `--require ${join(__dirname, '../clock/shifted-clock.cjs')}`, CLOCK_SHIFT_MS: String(shiftMs) };
      const wrong = await startServiceProcess({ DATABASE_URL: target.url, MIGRATE: 'off', ...clock }, process.env['FAULT_BUILD']);
      const [id] = await stage.created(1);
      stage.miniapp.store.length = 0;
      stage.miniapp.on('/webhook', json({}, { status: 503 }));
      const members = `"order_payment_id":"${id!}","payment_status":"paid"`;
      const { outcome } = await stage.call({ path: 'orders/complete-order', key: id!, members, turn: 0, front: wrong.url });
      while ((await stage.rows(`deliveries where state = 'ready' and attempts = 1`)) === 0) await pause(20);
      stage.miniapp.on('/webhook', json({}));
      const failedAt = performance.now();
      await wrong.end('SIGTERM');
      const latestMs = waitsMs[0]! * (1 + jitter) + patienceMs;
      while (stage.miniapp.at('/webhook').length < 2 && performance.now() - failedAt < latestMs + 2000) await pause(20);
      const deliveredMs = performance.now() - failedAt;
      while ((await stage.rows(`deliveries where state = 'ready'`)) > 0 && performance.now() - failedAt < latestMs + 4000) await pause(20);
      figure('clock-deliveries', { shift_h: shiftMs / hourMs, delivered_after_s: Number((deliveredMs / 1000).toFixed(1)) }, startedAt);
      expect([outcome, stage.miniapp.at('/webhook').length]).toEqual(['ok', 2]);
      expect(deliveredMs).toBeLessThanOrEqual(latestMs);
    },
    within(60_000),
  );
});
