import { queueOf, endpointQueueRules } from '../../../src/domain/deliveries/endpoint-queue';
import { jitter, deliveryLastsMs, waitsMs } from '../../../src/domain/deliveries/schedule';
import type { JsonObject } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';
import { resolve } from '../../../src/composition/tokens/token';
import { T } from '../../../src/composition/tokens/tokens';
import { aPair, type Pair } from '../../support/signatures/a-pair';
import { startTestService, until, type TestService } from '../../support/service/service';
import { hangBeforeHeaders, json } from '../../support/partners/stub-behaviours';
import { StubMiniapp } from '../../support/partners/stub-sign-on';
import { figure, inThisForm, within } from '../harness/fault-run';

let service: TestService;
let miniapp: StubMiniapp;
let pair: Pair;
let integrationId: string;
beforeAll(async () => {
  service = await startTestService({ env: { DELIVERY_TIMEOUT_MS: '2000' } });
});
afterAll(() => service.close());
beforeEach(async () => {
  miniapp = await new StubMiniapp().start();
  pair = await aPairAt(miniapp);
  integrationId = await integrationOf(pair);
});
afterEach(() => miniapp.stop());

const aPairAt = (at: StubMiniapp): Promise<Pair> => aPair(service, { miniapp: { events_bridge_url: `${at.url}/events` } });
const integrationOf = async ({ clientId, appId }: Pair): Promise<string> =>
  (await service.manage('GET', `integrations/${clientId}/${appId}`)).body.id as string;

const queueOfPair = ({ clientId, appId }: Pair): string => queueOf({ receiver: 'miniapp', clientId, appId, kind: 'event' });

/** Owes an event to the miniapp, as a durable relay does: committed, then notified. */
async function enqueue(to: Pair, integration: string, id: string): Promise<void> {
  const { container } = service.composed;
  const body = readJsonText(
    `{"app_id":"${to.appId}","client_id":"${to.clientId}","event_type":"t","payload":{"id":"${id}"}}`,
  ) as JsonObject;
  const queue = queueOfPair(to);
  await resolve(container, T.eventOutbox).add({
    ...{ id, integrationId: integration, receiver: 'miniapp', queue, body, requestId: `req-${id}`, at: Date.now() },
  });
  resolve(container, T.deliveryNotifier).notify(queue);
}

const numbered = (count: number, name: string): string[] => Array.from({ length: count }, (_, i) => `${name}_${String(i)}`);
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;

it(
  'R5: deliveries that waited while the miniapp was away arrive soon after its return',
  async () => {
    const { count, awayMs } = inThisForm({ short: { count: 150, awayMs: 2000 }, long: { count: 1000, awayMs: 10_000 } });
    const startedAt = performance.now();
    miniapp.on('/events', json({}, { status: 503 }));
    const ids = numbered(count, 'away');
    const begun = Date.now();
    await Promise.all(
      [...Array(8).keys()].map(async (w) => {
        for (const [i, id] of ids.entries()) if (i % 8 === w) await enqueue(pair, integrationId, id);
      }),
    );
    await pause(begun + awayMs - Date.now());
    const before = miniapp.at('/events').length;
    miniapp.on('/events', json({}));
    const backAt = Date.now();
    const delivered = () =>
      service.database.db.query(`select count(*)::int as n from deliveries where state = 'delivered' and queue = $1`, [queueOfPair(pair)]);
    for (let waited = 0; (await delivered())[0].n < count && waited < 120; waited++) await pause(500);
    const received = miniapp.at('/events').slice(before);
    const after = received.map(({ at }) => at - backAt);
    const peak = Math.max(...after.map((at) => after.filter((other) => other >= at && other < at + 1000).length));
    const soon = Number((percentile(after, 0.99) / 1000).toFixed(1));
    const shares = { delivered: (await delivered())[0].n as number, seconds_to_99_percent: soon, max_in_a_second: peak };
    figure('R5', { queued: count, away_s: awayMs / 1000, attempts_while_away: before, ...shares }, startedAt);
    expect(shares.delivered).toBe(count);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(count);
    expect(soon).toBeLessThanOrEqual(30);
    // One process has at most so many at once, each for so long at least; and the probe that found it.
    expect(peak).toBeLessThanOrEqual((endpointQueueRules.quickSlots * 1000) / endpointQueueRules.heldForMs + 1);
  },
  within(40_000, 120_000),
);

it('R6: tries on the published schedule for seven days, then gives up', async () => {
  const startedAt = performance.now();
  const { db } = service.database;
  miniapp.on('/events', json({}, { status: 404 }));
  await enqueue(pair, integrationId, 'schedule_1');
  const history = async () => (await service.manage('GET', 'deliveries/schedule_1')).body;
  const waits: number[] = [];
  /** Time passes for the row: all its times become so much earlier. */
  const pass = async (ms: number): Promise<void> => {
    const text = `update deliveries set created_at = created_at - $1 * interval '1 ms', due_at = now() where id = 'schedule_1'`;
    await db.query(text, [ms]);
    resolve(service.composed.container, T.deliveryNotifier).notify(queueOfPair(pair));
  };
  for (let tries = 1; ; tries++) {
    const {
      state,
      due_at: dueAt,
      attempts,
    } = await until(
      history,
      (found) => found.attempt_count === tries && (found.state !== 'ready' || found.due_at > found.attempts.at(-1).at),
    );
    if (state !== 'ready') break;
    const waitMs = Date.parse(dueAt) - Date.parse(attempts.at(-1).at);
    waits.push(waitMs);
    await pass(waitMs);
  }
  const within20 = waits.filter((ms, i) => Math.abs(ms / (waitsMs[i] ?? waitsMs.at(-1)!) - 1) <= jitter + 0.02).length;
  const days = waits.reduce((sum, ms) => sum + ms, 0) / 86_400_000;
  await pass((30 - days) * 86_400_000);
  const after30Days = await history();
  const counts = {
    tries: after30Days.attempt_count as number,
    days: Number(days.toFixed(1)),
    waits: waits.length,
    waits_within_20_percent: within20,
  };
  figure('R6', { ...counts, dead_letters_after_30_days: after30Days.state === 'failed' ? 1 : 0 }, startedAt);
  expect([after30Days.state, counts.tries]).toEqual(['failed', waits.length + 1]);
  expect(waits.length + 1).toBeGreaterThanOrEqual(20);
  expect(within20).toBe(waits.length);
  expect(days * 86_400_000).toBeLessThanOrEqual(deliveryLastsMs);
  expect((await history()).attempts.every(({ reason }: { reason: string }) => reason === 'schedule')).toBe(true);
  miniapp.on('/events', json({}));
  expect((await service.manage('POST', 'deliveries/schedule_1/resend')).status).toBe(200);
  await until(history, ({ state }) => state === 'delivered');
});

it('R8: a miniapp that hangs with 500 deliveries pending harms no other', async () => {
  const startedAt = performance.now();
  const count = inThisForm({ short: 200, long: 1000 });
  const healthy = await new StubMiniapp().start();
  healthy.on('/events', json({}));
  const well = await aPairAt(healthy);
  const integration = await integrationOf(well);
  let atOnce = 0;
  /** Milliseconds from queued to received, one after the other. */
  const measure = async (name: string): Promise<number[]> => {
    const times: number[] = [];
    for (const id of numbered(count, name)) {
      const begun = performance.now();
      const seen = healthy.store.length;
      await enqueue(well, integration, id);
      while (healthy.store.length === seen) await new Promise((done) => setImmediate(done));
      times.push(performance.now() - begun);
      atOnce = Math.max(atOnce, miniapp.store.filter(({ socket }) => !socket.destroyed).length);
    }
    return times;
  };
  await measure('warm');
  const without = await measure('without');
  miniapp.on('/events', hangBeforeHeaders);
  await Promise.all(numbered(500, 'hanging').map((id) => enqueue(pair, integrationId, id)));
  const hanging = await measure('with');
  await healthy.stop();
  const [before, after] = [percentile(without, 0.99), percentile(hanging, 0.99)];
  const errors = healthy.store.length - new Set(healthy.store.map(({ headers }) => headers['webhook-id'])).size;
  const tenths = (ms: number): number => Number(ms.toFixed(1));
  const [p50, p50Beside] = [percentile(without, 0.5), percentile(hanging, 0.5)].map(tenths);
  const times = { p99_without_ms: tenths(before), p99_ms: tenths(after), p50_without_ms: p50!, p50_ms: p50Beside! };
  figure('R8', { pending: 3 * count, errors, hanging_at_once: atOnce, ...times }, startedAt);
  expect(errors).toBe(0);
  // A ratio means something on a machine that does nothing else: a short run prints it.
  expect(after).toBeLessThanOrEqual(inThisForm({ short: 20, long: 1.2 }) * before);
  expect(atOnce).toBe(endpointQueueRules.slots);
  expect(hanging).toHaveLength(count);
}, 60_000);
