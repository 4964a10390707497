import { setTimeout as pause } from 'node:timers/promises';
import { databaseKinds } from '../../support/postgres/database';
import { json, type Behaviour } from '../../support/partners/stub-behaviours';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import { chanceOf, figure, inThisForm, within } from '../harness/fault-run';
import { PayingStage } from '../harness/paying-stage';

// The embedded database serves one process, and is for development.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

/** Each key has one event after the other, `everyMs` apart. */
const { keys, everyMs, wellMs, awayMs, failingMs, goneWithinMs } = inThisForm({
  short: { keys: 20, everyMs: 200, wellMs: 1000, awayMs: 3000, failingMs: 3000, goneWithinMs: 60_000 },
  long: { keys: 50, everyMs: 200, wellMs: 3000, awayMs: 60_000, failingMs: 60_000, goneWithinMs: 600_000 },
});

/** An event of a key: `n` is its position there, from 0 on. */
interface KeyedEvent {
  readonly key: number;
  readonly n: number;
}

const goesAway: Behaviour = (_request, response) => void response.destroy();
const refuses = json({}, { status: 503 });
const receives = json({});

describeOnPostgres('durable events with ordering keys, with two instances', () => {
  let stage: PayingStage;
  beforeAll(async () => {
    const settings = { integration: { event_delivery: 'durable' } };
    stage = await PayingStage.open({ processes: 2, hostApp: new StubPayingHostApp(), settings });
  }, 60_000);
  afterAll(async () => {
    expect(await stage.close()).toEqual([0, 0]);
  }, 60_000);

  it(
    'are received in the order of their key while the miniapp fails and recovers',
    async () => {
      const startedAt = performance.now();
      const received: KeyedEvent[] = [];
      const meetsWith = (how: () => Behaviour): void => {
        stage.miniapp.on('/events', (request, response) => {
          const behaviour = how();
          if (behaviour === receives) received.push((JSON.parse(request.body.toString('utf8')) as { payload: KeyedEvent }).payload);
          return behaviour(request, response);
        });
      };
      meetsWith(() => receives);
      let goesOn = true;
      const load = Array.from({ length: keys }, (_, key) => eventsOf(key, () => goesOn));
      await pause(wellMs);
      meetsWith(() => goesAway);
      await pause(awayMs);
      const chance = chanceOf('refused');
      meetsWith(() => (chance() < 0.5 ? refuses : receives));
      await pause(failingMs);
      meetsWith(() => receives);
      const backAt = performance.now();
      goesOn = false;
      const taken = await Promise.all(load);
      const waited = await stage.rows(`deliveries where state = 'ready'`);
      while ((await stage.rows(`deliveries where state = 'ready'`)) > 0 && performance.now() - backAt < goneWithinMs) await pause(100);
      const gone_after_s = Number(((performance.now() - backAt) / 1000).toFixed(1));
      const left = await stage.rows(`deliveries where state = 'ready'`);
      const counts = { keys, taken: taken.reduce((sum, count) => sum + count), waited, gone_after_s, left, ...verdict(taken, received) };
      figure('order', counts, startedAt);
      expect(counts).toMatchObject({ left: 0, out_of_order: 0, missing: 0 });
    },
    within(120_000),
  );

  /** Sends one event of the key after the other, to either instance; resolves to how many were taken. */
  const eventsOf = async (key: number, goesOn: () => boolean): Promise<number> => {
    let n = 0;
    for (; goesOn(); n++) {
      const members = `"ordering_key":"key-${String(key)}","event_type":"counted","payload":{"key":${String(key)},"n":${String(n)}}`;
      const { status, text } = await stage.call({ path: 'events/hostapp', key: String(key), members, turn: n });
      expect([status, text]).toEqual([202, expect.stringContaining('event_id')]);
      await pause(everyMs);
    }
    return n;
  };
});

/** Against the first receipt of each event: a repeat is no disorder. */
function verdict(taken: readonly number[], received: readonly KeyedEvent[]) {
  let [out_of_order, missing] = [0, 0];
  for (const [key, count] of taken.entries()) {
    const positions = [...new Set(received.filter((event) => event.key === key).map(({ n }) => n))];
    out_of_order += positions.filter((n, at) => at > 0 && n < positions[at - 1]!).length;
    missing += count - positions.length;
  }
  const distinct = new Set(received.map(({ key, n }) => `${String(key)} ${String(n)}`));
  return { received: received.length, repeated: received.length - distinct.size, out_of_order, missing };
}
