import type { LookupAddress } from 'node:dns';
import { NameNotResolved, type Found } from '../../../../src/adapters/out/partner-http/names/name-query';
import { NameResolver } from '../../../../src/adapters/out/partner-http/names/name-resolver';

const a = { address: '10.0.0.1', family: 4 };
const b = { address: '10.0.0.2', family: 4 };
const noFiles = { hosts: new Map(), search: [], ndots: 1, servers: '' };

/** A resolver over a server that is played here, and a clock that is set here. */
function aResolver({ deadlineMs = 50 } = {}) {
  const asked: string[] = [];
  const play = { at: 0, answer: (_name: string): Promise<Found> => Promise.resolve({ addresses: [a], ttlMs: 30_000 }) };
  const query = (name: string) => {
    asked.push(name);
    return play.answer(name);
  };
  const resolver = new NameResolver({ deadlineMs, query, names: () => Promise.resolve(noFiles), now: () => play.at });
  const lookUp = (name = 'partner.example') =>
    new Promise<readonly LookupAddress[] | 'none'>((resolve) =>
      resolver.resolve(name, (error, addresses) => resolve(error ? 'none' : addresses)),
    );
  return { asked, play, resolver, lookUp };
}

const silent = () => Promise.reject(new NameNotResolved(false));
const final = () => Promise.reject(new NameNotResolved(true));
const hanging = () => new Promise<Found>(() => undefined);

describe('a name', () => {
  it('is asked for once by many at once, in any case', async () => {
    const { asked, lookUp } = aResolver();
    const names = ['partner.example', 'Partner.Example', 'partner.example'];
    expect(await Promise.all(names.map(lookUp))).toEqual([[a], [a], [a]]);
    expect(asked).toEqual(['partner.example']);
  });

  it.each([
    [1_000, 4_999, 5_001],
    [30_000, 29_999, 30_001],
    [86_400_000, 59_999, 60_001],
  ])('with a TTL of %d ms is kept for %d and asked for after %d', async (ttlMs, kept, over) => {
    const { asked, play, lookUp } = aResolver();
    play.answer = () => Promise.resolve({ addresses: [a], ttlMs });
    await lookUp();
    play.answer = () => Promise.resolve({ addresses: [b], ttlMs });
    play.at = kept;
    expect(await lookUp()).toEqual([a]);
    play.at = over;
    expect(await lookUp()).toEqual([b]);
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['a server says so', final],
    ['no server answers', silent],
  ])('has no address for five seconds where %s', async (_why, answer) => {
    const { asked, play, lookUp } = aResolver();
    const good = play.answer;
    play.answer = answer;
    expect(await lookUp()).toBe('none');
    play.answer = good;
    play.at = 4_999;
    expect(await lookUp()).toBe('none');
    play.at = 5_001;
    expect(await lookUp()).toEqual([a]);
    expect(asked).toHaveLength(2);
  });

  it('that nobody answers for is waited for no longer than the deadline; the answer after it is good for others', async () => {
    const { play, lookUp } = aResolver();
    let answer!: (found: Found) => void;
    play.answer = () => new Promise((resolve) => (answer = resolve));
    expect(await lookUp()).toBe('none');
    answer({ addresses: [b], ttlMs: 5_000 });
    await new Promise(setImmediate);
    expect(await lookUp()).toEqual([b]);
  });

  it('whose servers fall silent keeps its addresses for ten minutes, and nobody waits', async () => {
    const { asked, play, lookUp } = aResolver();
    await lookUp();
    play.answer = silent;
    play.at = 31_000;
    expect(await lookUp()).toEqual([a]);
    play.answer = hanging;
    play.at = 40_000;
    expect(await Promise.race([lookUp(), new Promise(setImmediate)])).toEqual([a]);
    expect(asked).toHaveLength(3);
  });

  it('whose servers stay silent for longer has none', async () => {
    const { play, lookUp } = aResolver();
    await lookUp();
    play.answer = silent;
    for (play.at = 31_000; play.at < 600_000; play.at += 6_000) expect(await lookUp()).toEqual([a]);
    play.at += 6_000;
    await lookUp();
    await new Promise(setImmediate);
    expect(await lookUp()).toBe('none');
  });

  it('that is gone is gone, though it was known', async () => {
    const { play, lookUp } = aResolver();
    await lookUp();
    play.answer = final;
    play.at = 31_000;
    expect(await lookUp()).toBe('none');
  });
});

it('names that hang take no place from one another, nor more than 500 in all', async () => {
  const { asked, play, lookUp } = aResolver({ deadlineMs: 300 });
  play.answer = (name) => (name.startsWith('well') ? Promise.resolve({ addresses: [a], ttlMs: 5_000 }) : hanging());
  const waiting = Array.from({ length: 499 }, (_, i) => lookUp(`hangs-${String(i)}`));
  expect(await lookUp('well')).toEqual([a]);
  waiting.push(lookUp('hangs-499'));
  expect(await lookUp('well-2')).toBe('none');
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['none']));
  expect(asked).toHaveLength(501);
});
