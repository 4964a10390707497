import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basicOf } from '../../support/signatures/a-pair';
import { databaseKinds } from '../../support/postgres/database';
import { operatorToken, until } from '../../support/service/service';
import { html, json, refusalOf, reset } from '../../support/partners/stub-behaviours';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import { inQueues, type Operation } from '../harness/driver';
import { figure, inThisForm } from '../harness/fault-run';
import { PayingStage } from '../harness/paying-stage';

const calls = inThisForm({ short: 30, long: 300 });
const user = 'platform-at-host';
const secretOf = (n: number): string => `CANARY-in-memory-${String(n)}-of-the-platform-at-the-host-app`;
/** What the host app is known by at the platform: 32 bytes in base64, which can be read all the same. */
const ownOf = (n: number): string => `${`CANARY-in-memory-${String(n)}-of-the-host-app-at-the-platform`.slice(0, 42)}A=`;
/** Secrets that follow each other; the last one is in use in the end. */
const generations = inThisForm({ short: 2, long: 10 });

// The test reads the memory of a process of its own, which the embedded database would share.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

describeOnPostgres('the memory of a process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pierhead-heap-'));
  let stage: PayingStage;
  beforeAll(async () => {
    stage = await PayingStage.open({
      processes: 1,
      hostApp: new StubPayingHostApp(),
      settings: { hostApp: { host_app_client_id: user, host_app_secret_key: secretOf(1) } },
      env: { NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}`, EXPOSE_EXCEPTIONS: 'off' },
    });
  }, 60_000);
  afterAll(async () => {
    expect(await stage.close()).toEqual([0]);
    rmSync(folder, { recursive: true, force: true });
  });

  let own = 1;
  const pay = (turn: number): Promise<Operation> => {
    const headers = basicOf(stage.pair.clientId, ownOf(own));
    return stage.call({
      path: 'orders/create-order-payment',
      key: '',
      members: '"order":{"currency":"USD","amount":"1.10"}',
      turn,
      headers,
    });
  };
  const manage = async (path: string, body: object): Promise<void> => {
    const url = `${stage.instances.by(0).url}/manage/v1/host-apps/${stage.pair.clientId}/${path}`;
    const headers = { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' };
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(await reply.text());
  };
  const replace = async (credential: string, value: string): Promise<void> => {
    await manage('rotate', { credential, value, previous_valid_for_s: 60 });
    await manage('revoke', { credential, which: 'previous' });
  };
  /** Replaces the secrets by the next ones, and resolves when the host app is called with the new one. */
  const replaceBy = async (n: number): Promise<void> => {
    const secret = secretOf(n);
    await replace('secret_key', ownOf((own = n)));
    await replace('host_app_secret_key', secret);
    await until(
      async () => {
        await pay(0);
        return stage.hostApp.at('/create').at(-1)?.headers.authorization;
      },
      (shown) => shown === basicOf(user, secret).Authorization,
    );
  };
  /** All that lives in the process, once its garbage was collected, as V8 writes it down. */
  const snapshot = async (): Promise<Buffer> => {
    process.kill(stage.instances.by(0).pid, 'SIGUSR2');
    const [name] = await until(
      async () => readdirSync(folder),
      (names) => names.length > 0,
      30_000,
    );
    if (name === undefined) throw new Error('There is no snapshot');
    // It is written in one turn of the process, which answers when that is over.
    await fetch(`${stage.instances.by(0).url}/health/live`);
    return readFileSync(join(folder, name));
  };

  it('R21: holds the secret that is in use, and none that was revoked', async () => {
    const startedAt = performance.now();
    await replace('secret_key', ownOf(1));
    const unkind = [html, json({ order_payment_id: 7 }), refusalOf('NO', { status: 401 }), reset];
    for (let n = 1; n < generations; n++) {
      await inQueues(calls, 8, pay);
      for (const behaviour of unkind) await stage.hostApp.during('/create', behaviour, () => pay(0));
      await replaceBy(n + 1);
    }
    await inQueues(calls, 8, pay);
    const memory = await snapshot();
    const sentAs = (name: string, secret: string): string => basicOf(name, secret).Authorization.slice('Basic '.length);
    const holds = (n: number): boolean =>
      [secretOf(n), sentAs(user, secretOf(n)), ownOf(n), sentAs(stage.pair.clientId, ownOf(n))].some((text) => memory.includes(text));
    const revoked = Array.from({ length: generations - 1 }, (_, n) => n + 1).filter(holds);
    const counts = { revoked: generations - 1, found: revoked.length, inUseFound: Number(holds(generations)), bytes: memory.length };
    figure('memory', counts, startedAt);
    expect(revoked).toEqual([]);
    expect(counts.inUseFound).toBe(1);
  }, 120_000);
});
