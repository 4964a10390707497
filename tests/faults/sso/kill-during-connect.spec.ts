import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aPairOver, type Pair } from '../../support/signatures/a-pair';
import { databaseKinds, openTestDatabase } from '../../support/postgres/database';
import { operatorToken } from '../../support/service/service';
import { startServiceProcess, type ServiceProcess } from '../../support/service/service-process';
import { StubMiniapp } from '../../support/partners/stub-sign-on';
import { inThisForm } from '../harness/fault-run';

const rounds = inThisForm({ short: 2, long: 10 });
const senders = 8;

/** A connect that was answered with 200. */
interface Acknowledged {
  readonly reference: string;
  /** Milliseconds between its answer and the kill. */
  beforeKill: number;
}

/** Sends connects until the process is gone; resolves to those that were answered with 200. The reference is the request id, too. */
async function connectUntilKilled(service: ServiceProcess, { clientId, appId, basic }: Pair, round: number): Promise<Acknowledged[]> {
  const acknowledged: { reference: string; at: number }[] = [];
  let killedAt = Infinity;
  const send = async (sender: number): Promise<void> => {
    for (let n = 0; ; n++) {
      const reference = `user-${String(round)}-${String(sender)}-${String(n)}`;
      const body = JSON.stringify({ client_id: clientId, app_id: appId, user_data: { reference } });
      try {
        const reply = await fetch(`${service.url}/api/v1/connect/`, {
          method: 'POST',
          headers: { ...basic, 'Content-Type': 'application/json', 'X-Request-Id': reference },
          body,
        });
        await reply.text();
        if (reply.status === 200) acknowledged.push({ reference, at: performance.now() });
        if (acknowledged.length >= 200 && killedAt === Infinity) {
          killedAt = performance.now();
          void service.end('SIGKILL');
        }
      } catch {
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: senders }, (_none, sender) => send(sender)));
  return acknowledged.map(({ reference, at }) => ({ reference, beforeKill: killedAt - at }));
}

describe.each(databaseKinds)('kill -9 during connect under load: %s', (kind) => {
  it('every user of an acknowledged connect is there after the restart', async () => {
    const database = kind === 'postgres' ? await openTestDatabase('postgres') : undefined;
    const dataDir = await mkdtemp(join(tmpdir(), 'pierhead-kill-'));
    const miniapp = await new StubMiniapp().start();
    const url = database?.target.kind === 'postgres' ? database.target.url : undefined;
    // Every user is asked for at once afterwards: more than a browser may ask in a minute.
    const common = { DATA_DIR: dataDir, RATE_LIMITS: '{"get_consent": 100000}' };
    const env = url === undefined ? common : { ...common, DATABASE_URL: url };
    let pair: Pair | undefined;
    const acknowledged: Acknowledged[] = [];
    for (let round = 0; round < rounds; round++) {
      const service = await startServiceProcess(env);
      pair ??= await aPairOver(service.url, { miniappUrl: miniapp.url });
      acknowledged.push(...(await connectUntilKilled(service, pair, round)));
    }
    const service = await startServiceProcess(env);
    const lost: string[] = [];
    const left = acknowledged.map(({ reference }) => reference);
    const connectOnce = async (): Promise<void> => {
      for (let reference = left.pop(); reference !== undefined; reference = left.pop()) {
        if (!(await isConsented(service, pair!, reference))) lost.push(reference);
      }
    };
    await Promise.all(Array.from({ length: senders }, connectOnce));
    const recorded = await recordedRequests(service);
    const unrecorded = acknowledged.filter(({ reference }) => !recorded.has(reference));
    const oldest = Math.max(0, ...unrecorded.map(({ beforeKill }) => beforeKill));
    process.stdout.write(
      `${kind}: ${String(rounds)} kills, ${String(acknowledged.length)} acknowledged, ${String(lost.length)} lost; ` +
        `exchange records lost: ${String(unrecorded.length)}, the oldest ${oldest.toFixed(0)} ms before its kill\n`,
    );
    expect(acknowledged.length).toBeGreaterThanOrEqual(rounds * 200);
    expect(lost).toEqual([]);
    expect(oldest).toBeLessThan(1000);
    expect(await service.end('SIGTERM')).toBe(0);
    await miniapp.stop();
    await database?.close();
    await rm(dataDir, { recursive: true, force: true });
  }, 120_000);
});

/** Consent is written in the statement that stores the user: asked over HTTP, it tells whether the sign-on was kept. */
async function isConsented({ url }: ServiceProcess, { clientId, appId }: Pair, reference: string): Promise<boolean> {
  const query = new URLSearchParams({ client_id: clientId, app_id: appId, user_reference: reference });
  const reply = await fetch(`${url}/api/v1/accounts/consent/get_consent/?${query.toString()}`);
  if (reply.status !== 200) throw new Error(`get_consent answered ${String(reply.status)}`);
  return ((await reply.json()) as { is_consented?: boolean }).is_consented === true;
}

/** The request ids of all exchange records. */
async function recordedRequests({ url }: ServiceProcess): Promise<Set<string>> {
  const found = new Set<string>();
  for (let cursor = ''; ;) {
    const query = `limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const reply = await fetch(`${url}/manage/v1/exchanges?${query}`, { headers: { Authorization: `Bearer ${operatorToken}` } });
    const page = (await reply.json()) as { data: { request_id: string }[]; next_cursor: string | null };
    for (const { request_id: id } of page.data) found.add(id);
    if (!page.next_cursor) return found;
    cursor = encodeURIComponent(page.next_cursor);
  }
}
