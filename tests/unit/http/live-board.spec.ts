import { LiveBoard, liveRules, type Listener } from '../../../src/adapters/in/http/manage/live-board';
import type { ChangeWatch, LiveChange } from '../../../src/domain/live/ports';
import { CollectingLog } from '../../support/collecting-log';

class FakeWatch implements ChangeWatch {
  changes: readonly LiveChange[] = [];
  fails = false;
  looks = 0;

  async look(): Promise<readonly LiveChange[]> {
    this.looks++;
    if (this.fails) throw new Error('away');
    return this.changes;
  }
}

class Hearer implements Listener {
  readonly heard: string[] = [];

  constructor(
    readonly account: string,
    readonly scope: Listener['scope'] = {},
    readonly session?: string,
  ) {}

  tell(topics: readonly string[]): void {
    this.heard.push(topics.join(' '));
  }
  beat(): void {
    this.heard.push('beat');
  }
  end(why: string): void {
    this.heard.push(why);
  }
}

let watch: FakeWatch;
let now: number;
let living: Set<string> | undefined;
let board: LiveBoard;
beforeEach(() => {
  [watch, now, living] = [new FakeWatch(), 0, new Set(['s1', 's2'])];
  const livingOf = async (digests: readonly string[]) => {
    if (!living) throw new Error('away');
    return new Set(digests.filter((digest) => living?.has(digest)));
  };
  board = new LiveBoard({ watch, living: livingOf, log: new CollectingLog(), now: () => now });
});
afterEach(() => board.stop());

const pair = { clientId: 'h1', appId: 'm1' };

it('tells each listener once of each topic, and of what is in its scope alone', async () => {
  const [operator, host, miniapp, other] = [
    new Hearer('o'),
    new Hearer('h', { clientId: 'h1' }),
    new Hearer('m', { appId: 'm1' }),
    new Hearer('x', { appId: 'm2' }),
  ];
  for (const one of [operator, host, miniapp, other]) expect(board.add(one)).toBe(true);
  watch.changes = [
    { topic: 'exchanges', ...pair },
    { topic: 'exchanges', ...pair },
    { topic: 'integrations', clientId: 'h1' },
    { topic: 'audit' },
  ];
  await board.look();
  expect(operator.heard).toEqual(['exchanges integrations audit']);
  expect(host.heard).toEqual(['exchanges integrations']);
  expect(miniapp.heard).toEqual(['exchanges']);
  expect(other.heard).toEqual([]);
});

it('says that it is there where nothing changes, and lets go after a minute', async () => {
  const hearer = new Hearer('o');
  board.add(hearer);
  await board.look();
  now = liveRules.beatEveryMs;
  await board.look();
  now = liveRules.lastsMs;
  await board.look();
  expect(hearer.heard).toEqual(['beat', 'beat', 'lasted']);
  await board.look();
  expect(hearer.heard).toHaveLength(3);
});

it('takes so many of one account, so many in all, and none once it has stopped', () => {
  const many = Array.from({ length: liveRules.most }, (_, i) => new Hearer(`a${Math.floor(i / liveRules.mostOfAccount)}`));
  for (const one of many.slice(0, liveRules.mostOfAccount)) expect(board.add(one)).toBe(true);
  expect(board.add(new Hearer('a0'))).toBe(false);
  board.remove(many[0]!);
  expect(board.add(new Hearer('a0'))).toBe(true);
  for (const one of many.slice(liveRules.mostOfAccount)) board.add(one);
  expect(board.add(new Hearer('another'))).toBe(false);
  board.stop();
  expect(many[1]!.heard).toEqual(['lasted']);
  expect(board.add(new Hearer('another'))).toBe(false);
});

it('lets go who listens by a session that is over, before it is told, and tells nobody while that is not known', async () => {
  const [token, one, two] = [new Hearer('o'), new Hearer('a', {}, 's1'), new Hearer('b', {}, 's2')];
  for (const hearer of [token, one, two]) board.add(hearer);
  watch.changes = [{ topic: 'payments', ...pair }];
  living = undefined;
  await board.look();
  living = new Set(['s2']);
  await board.look();
  expect([token.heard, one.heard, two.heard]).toEqual([['payments'], ['session-over'], ['payments']]);
});

it('goes on after a look that failed', async () => {
  const hearer = new Hearer('o');
  board.add(hearer);
  watch.fails = true;
  await board.look();
  watch.fails = false;
  watch.changes = [{ topic: 'payments', ...pair }];
  await board.look();
  expect(hearer.heard).toEqual(['payments']);
});
