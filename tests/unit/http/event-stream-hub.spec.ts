import { EventStreamHub, liveRules, type Listener } from '../../../src/adapters/in/http/manage/operations/event-stream-hub';
import type { ChangeReader, LiveChange } from '../../../src/domain/live/ports';
import { CollectingLog } from '../../support/collecting-log';

class FakeWatch implements ChangeReader {
  changes: readonly LiveChange[] = [];
  fails = false;
  polls = 0;

  async poll(): Promise<readonly LiveChange[]> {
    this.polls++;
    if (this.fails) throw new Error('away');
    return this.changes;
  }
}

class RecordingListener implements Listener {
  readonly received: string[] = [];

  constructor(
    readonly account: string,
    readonly scope: Listener['scope'] = {},
    readonly session?: string,
  ) {}

  send(topics: readonly string[]): void {
    this.received.push(topics.join(' '));
  }
  beat(): void {
    this.received.push('beat');
  }
  end(why: string): void {
    this.received.push(why);
  }
}

let watch: FakeWatch;
let now: number;
let living: Set<string> | undefined;
let hub: EventStreamHub;
beforeEach(() => {
  [watch, now, living] = [new FakeWatch(), 0, new Set(['s1', 's2'])];
  const livingOf = async (digests: readonly string[]) => {
    if (!living) throw new Error('away');
    return new Set(digests.filter((digest) => living?.has(digest)));
  };
  hub = new EventStreamHub({ watch, living: livingOf, log: new CollectingLog(), now: () => now });
});
afterEach(() => hub.stop());

const pair = { clientId: 'h1', appId: 'm1' };

it('sends each listener each topic once, and only within its scope', async () => {
  const [operator, host, miniapp, other] = [
    new RecordingListener('o'),
    new RecordingListener('h', { clientId: 'h1' }),
    new RecordingListener('m', { appId: 'm1' }),
    new RecordingListener('x', { appId: 'm2' }),
  ];
  for (const one of [operator, host, miniapp, other]) expect(hub.add(one)).toBe(true);
  watch.changes = [
    { topic: 'exchanges', ...pair },
    { topic: 'exchanges', ...pair },
    { topic: 'integrations', clientId: 'h1' },
    { topic: 'audit' },
  ];
  await hub.poll();
  expect(operator.received).toEqual(['exchanges integrations audit']);
  expect(host.received).toEqual(['exchanges integrations']);
  expect(miniapp.received).toEqual(['exchanges']);
  expect(other.received).toEqual([]);
});

it('sends a heartbeat if nothing changes, and disconnects after a minute', async () => {
  const hearer = new RecordingListener('o');
  hub.add(hearer);
  await hub.poll();
  now = liveRules.beatEveryMs;
  await hub.poll();
  now = liveRules.lastsMs;
  await hub.poll();
  expect(hearer.received).toEqual(['beat', 'beat', 'lasted']);
  await hub.poll();
  expect(hearer.received).toHaveLength(3);
});

it('takes so many of one account, so many in all, and none once it has stopped', () => {
  const many = Array.from(
    { length: liveRules.maxListeners },
    (_, i) => new RecordingListener(`a${Math.floor(i / liveRules.maxPerAccount)}`),
  );
  for (const one of many.slice(0, liveRules.maxPerAccount)) expect(hub.add(one)).toBe(true);
  expect(hub.add(new RecordingListener('a0'))).toBe(false);
  hub.remove(many[0]!);
  expect(hub.add(new RecordingListener('a0'))).toBe(true);
  for (const one of many.slice(liveRules.maxPerAccount)) hub.add(one);
  expect(hub.add(new RecordingListener('another'))).toBe(false);
  hub.stop();
  expect(many[1]!.received).toEqual(['lasted']);
  expect(hub.add(new RecordingListener('another'))).toBe(false);
});

it('disconnects listeners whose session has ended before it sends them a change', async () => {
  const [token, one, two] = [new RecordingListener('o'), new RecordingListener('a', {}, 's1'), new RecordingListener('b', {}, 's2')];
  for (const hearer of [token, one, two]) hub.add(hearer);
  watch.changes = [{ topic: 'payments', ...pair }];
  living = undefined;
  await hub.poll();
  living = new Set(['s2']);
  await hub.poll();
  expect([token.received, one.received, two.received]).toEqual([['payments'], ['session-over'], ['payments']]);
});

it('goes on after a look that failed', async () => {
  const hearer = new RecordingListener('o');
  hub.add(hearer);
  watch.fails = true;
  await hub.poll();
  watch.fails = false;
  watch.changes = [{ topic: 'payments', ...pair }];
  await hub.poll();
  expect(hearer.received).toEqual(['payments']);
});
