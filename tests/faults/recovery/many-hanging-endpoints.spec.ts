import { setTimeout as pause } from 'node:timers/promises';
import { aPairOver, type Pair } from '../../support/signatures/a-pair';
import { databaseKinds } from '../../support/postgres/database';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';
import { hangBeforeHeaders, json } from '../../support/partners/stub-behaviours';
import { atRate, inQueues } from '../harness/driver';
import { figure, within } from '../harness/fault-run';
import { idIn, PayingStage } from '../harness/paying-stage';

// The embedded database serves one process, and is for development.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

const hanging = 40;
const perSecondEach = 3;
const wellPerSecond = 5;
/** Longer than it takes until all slots of a process would be taken, shorter than an attempt that hangs. */
const forS = 12;

describeOnPostgres('forty endpoints that hang, and one process', () => {
  let stage: PayingStage;
  let silent: StubMiniapp;
  beforeAll(async () => {
    const build = process.env['FAULT_BUILD'];
    stage = await PayingStage.open({ processes: 1, hostApp: new StubPayingHostApp(), ...(build !== undefined && { build }) });
    silent = await new StubMiniapp().on('/webhook', hangBeforeHeaders).start();
  }, 60_000);
  afterAll(async () => {
    await silent.stop();
    await stage.close();
  }, 60_000);

  const aPairAt = (miniapp: StubMiniapp): Promise<Pair> =>
    aPairOver(stage.instances.by(0).url, {
      hostAppUrl: stage.hostApp.url,
      miniappUrl: miniapp.url,
      hostApp: stage.hostApp.paymentUrls,
      miniapp: { ip_whitelist: { enabled: true, addresses: ['127.0.0.0/8'] }, webhook_url: `${miniapp.url}/webhook` },
    });

  it(
    'delay the deliveries to an endpoint that answers by a second at most',
    async () => {
      const startedAt = performance.now();
      stage.miniapp.on('/webhook', json({}));
      const pairs = await inQueues(hanging, 4, () => aPairAt(silent));
      const create = async (pair: Pair, turn: number): Promise<{ pair: Pair; id: string }> => {
        const members = '"order":{"currency":"USD","amount":"1.10"}';
        return { pair, id: idIn((await stage.call({ path: 'orders/create-order-payment', key: 'x', members, turn, pair })).text) };
      };
      const complete = ({ pair, id }: { pair: Pair; id: string }) => {
        const members = `"order_payment_id":"${id}","payment_status":"paid"`;
        return stage.call({ path: 'orders/complete-order', key: id, members, turn: 0, pair });
      };
      const pending = await inQueues(hanging * perSecondEach * forS, 32, (n) => create(pairs[n % hanging]!, n));
      const well = await inQueues(wellPerSecond * forS, 8, (n) => create(stage.pair, n));
      let goesOn = true;
      const load = atRate(
        { perSecond: hanging * perSecondEach, volley: hanging / 4, maxCalls: pending.length, goesOn: () => goesOn },
        (n) => complete(pending[n]!),
      );
      const answeredAt = new Map<string, number>();
      await atRate({ perSecond: wellPerSecond, volley: 1, maxCalls: well.length, goesOn: () => true }, async (n) => {
        await complete(well[n]!);
        answeredAt.set(well[n]!.id, Date.now());
      });
      goesOn = false;
      await load;
      const received = () => new Set(stage.webhooks().keys());
      for (let waited = 0; received().size < well.length && waited < 300; waited++) await pause(100);
      const waits = stage.miniapp.at('/webhook').map(({ body, at }) => {
        const { order_payment_id: id = '' } = JSON.parse(body.toString('utf8')) as { order_payment_id?: string };
        return at - (answeredAt.get(id) ?? at);
      });
      const [longestMs, atSilent] = [Math.max(...waits), silent.at('/webhook').length];
      figure('hanging', { endpoints: hanging, attempts_that_hang: atSilent, well: received().size, longest_wait_ms: longestMs }, startedAt);
      expect(received().size).toBe(well.length);
      expect(longestMs).toBeLessThanOrEqual(1000);
      expect(atSilent).toBeLessThanOrEqual(512);
    },
    within(180_000),
  );
});
