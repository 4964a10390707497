import { setTimeout as pause } from 'node:timers/promises';
import { databaseKinds } from '../../support/postgres/database';
import { json } from '../../support/partners/stub-behaviours';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import { atRate, type Operation } from '../harness/driver';
import { figure, inThisForm, within } from '../harness/fault-run';
import { PayingStage } from '../harness/paying-stage';

const { rounds, perSecond } = inThisForm({ short: { rounds: 2, perSecond: 60 }, long: { rounds: 20, perSecond: 300 } });
const processes = 3;
/** How long the miniapp keeps a webhook, in milliseconds: at each stop some are under way. */
const webhookMs = 150;
/** As it is deployed, but for partners on this machine. */
const env = {
  ...{ NODE_ENV: 'production', HOST: '127.0.0.1', PUBLIC_BASE_URL: 'http://localhost' },
  ...{ PARTNER_HTTP: 'allow', PARTNER_NETWORKS: '127.0.0.0/8' },
};
const maxExitMs = 32_000;

// The embedded database serves one process.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

describeOnPostgres('a rolling restart under load', () => {
  let stage: PayingStage;
  let payments: string[];
  beforeAll(async () => {
    const webhook = json({});
    stage = await PayingStage.open({
      processes,
      env,
      hostApp: new StubPayingHostApp(),
      webhook: async (received, response) => {
        await pause(webhookMs);
        await webhook(received, response);
      },
    });
    payments = await stage.created(inThisForm({ short: 300, long: 2000 }));
  });
  afterAll(() => stage.close());

  const complete = (turn: number, key: string): Promise<Operation> =>
    stage.call({ path: 'orders/complete-order', key, members: `"order_payment_id":"${key}","payment_status":"paid"`, turn });

  /** As a load balancer calls: in turn, and where nobody listens the next one. */
  const completeSomewhere = async (n: number): Promise<Operation> => {
    const key = payments[n % payments.length]!;
    for (let another = 1; another < processes; another++) {
      const operation = await complete(n + another, key);
      if (operation.outcome !== 'failed' || operation.status !== 0) return operation;
    }
    return complete(n, key);
  };

  /** Milliseconds from SIGTERM to its end; its successor serves by then. */
  const replace = async (index: number): Promise<number> => {
    const startedAt = performance.now();
    expect(await stage.instances.serving[index]?.end('SIGTERM')).toBe(0);
    const ms = performance.now() - startedAt;
    await stage.instances.begin(index);
    return ms;
  };

  it(
    'fails no request, and leaves no delivery claimed behind',
    async () => {
      const startedAt = performance.now();
      let rolling = true;
      const went: Operation[] = [];
      const load = atRate({ perSecond, volley: 1, atOnce: 300, goesOn: () => rolling }, async (n) => went.push(await completeSomewhere(n)));
      let longest = 0;
      try {
        for (let round = 0; round < rounds; round++) {
          for (let index = 0; index < processes; index++) longest = Math.max(longest, await replace(index));
        }
      } finally {
        rolling = false;
        await load;
      }
      const requests = await load;

      // All at once, with webhooks under way.
      const last = await stage.created(30);
      await Promise.all(last.map((key, turn) => complete(turn, key)));
      expect(await stage.instances.stop()).toEqual([0, 0, 0]);
      const claimed = await stage.rows(`deliveries where state = 'ready' and lease_until > now()`);

      const failed = went.filter(({ outcome }) => outcome !== 'ok');
      if (failed.length > 0) process.stdout.write(`${JSON.stringify(failed.slice(0, 5))}\n`);
      const counts = { restarts: rounds * processes, requests, failed: failed.length, longest_exit_ms: Math.round(longest), claimed };
      figure('R16', counts, startedAt);
      expect(counts.failed).toBe(0);
      expect(counts.claimed).toBe(0);
      expect(longest).toBeLessThan(maxExitMs);
      expect(requests).toBeGreaterThan(rounds * perSecond);
    },
    within(120_000),
  );
});
