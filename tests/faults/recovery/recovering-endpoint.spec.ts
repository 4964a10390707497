import { setTimeout as pause } from 'node:timers/promises';
import { databaseKinds } from '../../support/postgres/database';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import { json, type Behaviour } from '../../support/partners/stub-behaviours';
import { atRate } from '../harness/driver';
import { chanceOf, figure, inThisForm, within } from '../harness/fault-run';
import { PayingStage } from '../harness/paying-stage';

// The embedded database serves one process, and is for development.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

interface Case {
  readonly what: string;
  readonly perSecond: number;
  readonly failingMs: number;
  /** The share of webhooks that is refused meanwhile. */
  readonly refused: number;
  /** How soon nothing that waits is older than usual. */
  readonly goneWithinMs: number;
}

const cases = inThisForm<readonly Case[]>({
  short: [
    { what: 'was away for 10 s', perSecond: 120, failingMs: 10_000, refused: 1, goneWithinMs: 30_000 },
    { what: 'failed half of the time for 15 s', perSecond: 120, failingMs: 15_000, refused: 0.5, goneWithinMs: 60_000 },
  ],
  long: [
    { what: 'was away for 10 s', perSecond: 120, failingMs: 10_000, refused: 1, goneWithinMs: 30_000 },
    { what: 'was away for 60 s', perSecond: 500, failingMs: 60_000, refused: 1, goneWithinMs: 60_000 },
    { what: 'failed half of the time for 10 min', perSecond: 120, failingMs: 600_000, refused: 0.5, goneWithinMs: 60_000 },
  ],
});

/** Milliseconds for which a delivery may wait and is no backlog. */
const usualMs = 2000;
const received = json({});

describeOnPostgres('a miniapp that is back, with two instances and calls that go on', () => {
  const opened: PayingStage[] = [];
  afterEach(async () => {
    for (const stage of opened.splice(0)) expect(await stage.close()).toEqual([0, 0]);
  }, 60_000);

  it.each(cases)(
    'has all that waited soon after it $what',
    async ({ what, perSecond, failingMs, refused, goneWithinMs }) => {
      const startedAt = performance.now();
      // Another build shows what it does in the same situation.
      const build = process.env['FAULT_BUILD'];
      const stage = await PayingStage.open({ processes: 2, hostApp: new StubPayingHostApp(), ...(build !== undefined && { build }) });
      opened.push(stage);
      const ids = await stage.created(Math.ceil(((3000 + failingMs + goneWithinMs + 5000) / 1000) * perSecond));
      let goesOn = true;
      const load = atRate(
        { perSecond, volley: Math.max(1, Math.round(perSecond / 50)), maxCalls: ids.length, goesOn: () => goesOn },
        (turn) => {
          const members = `"order_payment_id":"${ids[turn]!}","payment_status":"paid"`;
          return stage.call({ path: 'orders/complete-order', key: ids[turn]!, members, turn });
        },
      );
      await pause(3000);
      const chance = chanceOf('refused');
      const inTrouble: Behaviour = (request, response) => (chance() < refused ? json({}, { status: 503 }) : received)(request, response);
      stage.miniapp.on('/webhook', inTrouble);
      await pause(failingMs);
      stage.miniapp.on('/webhook', received);
      const backAt = performance.now();
      const waiting = () => stage.rows(`deliveries where state = 'ready' and created_at < now() - interval '${String(usualMs)} ms'`);
      const waited = await waiting();
      let goneMs = Infinity;
      while (goneMs === Infinity && performance.now() - backAt < goneWithinMs + 4000) {
        await pause(250);
        if ((await waiting()) === 0) goneMs = performance.now() - backAt;
      }
      const left = await waiting();
      goesOn = false;
      const begun = await load;
      while ((await stage.rows(`deliveries where state = 'ready'`)) > 0 && performance.now() - backAt < goneWithinMs + 60_000)
        await pause(250);
      const accepted = stage.driver.operations.filter(({ name, outcome }) => name === 'orders/complete-order' && outcome === 'ok');
      const webhooks = stage.webhooks();
      const lost = accepted.filter(({ key }) => !webhooks.has(key)).length;
      const counts = { per_second: perSecond, troubled_s: failingMs / 1000, refused, begun, accepted: accepted.length };
      const outcome = { waited, gone_after_s: Number((goneMs / 1000).toFixed(1)), left, lost };
      figure('recovery', { ...counts, ...outcome }, startedAt);
      expect([what, lost, left]).toEqual([what, 0, 0]);
      expect(goneMs).toBeLessThanOrEqual(goneWithinMs);
    },
    within(300_000),
  );
});
