import { setTimeout as pause } from 'node:timers/promises';
import { databaseKinds } from '../../support/postgres/database';
import { json, type Behaviour } from '../../support/partners/stub-behaviours';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import { completionVerdicts, type ReceivedWebhook } from '../harness/completion-verdicts';
import { atRate, type Operation } from '../harness/driver';
import { chanceOf, figure, inThisForm, within } from '../harness/fault-run';
import { idIn, PayingStage } from '../harness/paying-stage';

// The embedded database dies with its process; its own kill is in embedded-kill.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

const kills = inThisForm({ short: 4, long: 100 });
const everyMs = inThisForm({ short: 500, long: 2000 });
const perSecond = inThisForm({ short: 60, long: 200 });
/** So many are reported at the same moment, so that a kill meets several of them. */
const volley = inThisForm({ short: 12, long: 2 });
/** Payments that are opened beforehand, so that the load is completions alone; each further one is opened as it is needed. */
const prepared = inThisForm({ short: 0, long: 40_000 });
/** How long the miniapp keeps a webhook before it answers, in milliseconds: in the short form longer than it takes to kill. */
const answersAfterMs = inThisForm({ short: 30, long: 0 });
/** Milliseconds at most from an acknowledgement to an aimed kill: by chance before, while or after its webhook is sent. */
const killsWithinMs = 30;
const aimed = inThisForm({ short: true, long: false });
/** An attempt that a killed process had begun is made anew when its lease has run out: after five seconds more than an attempt may take. */
const deliveryTimeoutMs = inThisForm({ short: 1000, long: 15_000 });
/** Until everything is delivered; pending ones are counted beside lost ones. */
const drainMs = inThisForm({ short: 60_000, long: 600_000 });

const answersLater: Behaviour = async (received, response) => {
  if (answersAfterMs > 0) await pause(answersAfterMs);
  await json({})(received, response);
};

describeOnPostgres('completions while processes are killed', () => {
  let stage: PayingStage;
  let onAcknowledged: (by: string) => void = () => undefined;
  /** When the driver's clock read 0, by the clock of the ledgers. */
  const epoch = Date.now() - performance.now();

  beforeAll(async () => {
    const env = { DELIVERY_TIMEOUT_MS: String(deliveryTimeoutMs) };
    stage = await PayingStage.open({ processes: 2, hostApp: new StubPayingHostApp(), webhook: answersLater, env });
  }, 60_000);
  afterAll(async () => {
    expect(await stage.close()).toEqual([0, 0]);
  });

  const attributes = (id: string): string => `{"of":"${id}","exact":12345678901234567.10}`;
  const statusOf = (id: string): string => (id.endsWith('7') ? 'failed' : 'paid');
  const expected = (id: string): string => {
    const { appId, clientId } = stage.pair;
    const ids = `"app_id":"${appId}","client_id":"${clientId}","order_payment_id":"${id}"`;
    return `{${ids},"payment_status":"${statusOf(id)}","custom_attributes":${attributes(id)}}`;
  };
  const report = async (id: string, turn: number): Promise<Operation> => {
    const { url } = stage.instances.by(turn);
    const members = `"order_payment_id":"${id}","payment_status":"${statusOf(id)}","custom_attributes":${attributes(id)}`;
    const operation = await stage.call({ path: 'orders/complete-order', key: id, members, turn });
    if (operation.outcome === 'ok') onAcknowledged(url);
    return operation;
  };
  const order = '"order":{"currency":"USD","amount":"1.10"}';
  const opened = async (n: number): Promise<string | undefined> => {
    const created = await stage.call({ path: 'orders/create-order-payment', key: String(n), members: order, turn: n });
    // Killed on the way: then there is nothing to report.
    return created.outcome === 'ok' ? idIn(created.text) : undefined;
  };
  /** Reports the end of a payment; where no answer came, in half of the cases once more. */
  const payAndReport = async (n: number, chance: number, id?: string): Promise<void> => {
    const known = id ?? (await opened(n));
    if (known === undefined) return;
    const first = await report(known, n);
    if (first.outcome === 'ok' || chance < 0.5) return;
    await pause(500);
    await report(known, n + 1);
  };
  const pending = `deliveries where state = 'ready'`;

  /** Resolves when the next completion has been acknowledged by this process. */
  const nextAcknowledged = (by: string): Promise<void> =>
    new Promise((resolve) => {
      onAcknowledged = (url) => {
        if (url === by) resolve();
      };
    });
  /** Every so often kills one of them, by chance, and starts it again. */
  const killAndStart = async (): Promise<number> => {
    const chance = chanceOf('kills');
    let pendingAtKill = 0;
    for (let kill = 0; kill < kills; kill++) {
      const next = pause(everyMs);
      const index = Math.floor(chance() * stage.instances.count);
      // In the long form at any moment, as machines die; the short one has too few kills to leave to chance what they meet.
      if (aimed) await nextAcknowledged(stage.instances.by(index).url);
      if (chance() < 0.6) await pause(chance() * killsWithinMs);
      await stage.instances.kill(index);
      if ((await stage.rows(pending)) > 0) pendingAtKill++;
      await Promise.all([stage.instances.begin(index), next]);
    }
    return pendingAtKill;
  };
  const drained = async (): Promise<ReceivedWebhook[]> => {
    const giveUpAt = performance.now() + drainMs;
    while ((await stage.rows(pending)) > 0 && performance.now() < giveUpAt) await pause(100);
    return stage.miniapp.at('/webhook').map(({ headers, body, at }) => {
      const text = body.toString('utf8');
      return { key: idIn(text), webhookId: String(headers['webhook-id']), body: text, at: at - epoch };
    });
  };

  it(
    'loses, alters and invents none that was acknowledged, and repeats few',
    async () => {
      const chance = chanceOf('repeats');
      const ids = await stage.created(prepared);
      stage.driver.operations.length = 0;
      const startedAt = performance.now();
      let killed = false;
      const killing = killAndStart().finally(() => (killed = true));
      const begun = await atRate({ perSecond, volley, goesOn: () => !killed }, (n) => payAndReport(n, chance(), ids[n]));
      const rate = Math.round((1000 * begun) / (performance.now() - startedAt));
      const [pendingAtKill, received] = [await killing, await drained()];
      const completions = stage.driver.operations.filter(({ name }) => name === 'orders/complete-order');
      const { unrecognisable, duplicated, ...verdicts } = completionVerdicts({ completions, received, expected, lateAfterMs: 30_000 });
      const count = (outcome: Operation['outcome']): number => stage.driver.count('orders/complete-order', outcome);
      const stillPending = await stage.rows(pending);
      const outcomes = { unknown: count('unknown'), failed: count('failed'), refused: count('refused') };
      figure('R1', { kills, pendingAtKill, perSecond: rate, ...verdicts, ...outcomes, stillPending }, startedAt);
      const share = Number(((100 * duplicated) / verdicts.acknowledged).toFixed(2));
      figure('R2', { acknowledged: verdicts.acknowledged, duplicated, percent: share, unrecognisable }, startedAt);
      expect(verdicts).toMatchObject({ lost: 0, altered: 0, invented: 0 });
      expect([stillPending, unrecognisable, outcomes.refused]).toEqual([0, 0, 0]);
      expect(verdicts.acknowledged).toBeGreaterThan(inThisForm({ short: 20 * kills, long: 20_000 }));
      expect(share).toBeLessThanOrEqual(inThisForm({ short: 20, long: 0.5 }));
    },
    within(90_000),
  );
});
