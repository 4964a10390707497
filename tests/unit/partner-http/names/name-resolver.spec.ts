import type { LookupAddress } from 'node:dns';
import { NameNotResolved, type Found } from '../../../../src/adapters/out/partner-http/names/name-query';
import { NameResolver } from '../../../../src/adapters/out/partner-http/names/name-resolver';

const a = { address: '10.0.0.1', family: 4 };
const b = { address: '10.0.0.2', family: 4 };
const noFiles = { hosts: new Map(), search: [], ndots: 1, servers: '' };

/** A resolver over a server that is played here, and a clock that is set here. */
function aResolver({ deadlineMs = 50 } = {}) {
  const queries: string[] = [];
  const play = { at: 0, answer: (_name: string): Promise<Found> => Promise.resolve({ addresses: [a], ttlMs: 30_000 }) };
  const query = (name: string) => {
    queries.push(name);
    return play.answer(name);
  };
  const resolver = new NameResolver({ deadlineMs, query, names: () => Promise.resolve(noFiles), now: () => play.at });
  const lookup = (name = 'partner.example') =>
    new Promise<readonly LookupAddress[] | 'none'>((resolve) =>
      resolver.resolve(name, (error, addresses) => resolve(error ? 'none' : addresses)),
    );
  return { queries, play, resolver, lookup };
}

const silent = () => Promise.reject(new NameNotResolved(false));
const final = () => Promise.reject(new NameNotResolved(true));
const hanging = () => new Promise<Found>(() => undefined);

describe('a name', () => {
  it('is asked for once by many at once, in any case', async () => {
    const { queries, lookup } = aResolver();
    const names = ['partner.example', 'Partner.Example', 'partner.example'];
    expect(await Promise.all(names.map(lookup))).toEqual([[a], [a], [a]]);
    expect(queries).toEqual(['partner.example']);
  });

  it.each([
    [1_000, 4_999, 5_001],
    [30_000, 29_999, 30_001],
    [86_400_000, 59_999, 60_001],
  ])('with a TTL of %d ms is kept for %d and asked for after %d', async (ttlMs, kept, over) => {
    const { queries, play, lookup } = aResolver();
    play.answer = () => Promise.resolve({ addresses: [a], ttlMs });
    await lookup();
    play.answer = () => Promise.resolve({ addresses: [b], ttlMs });
    play.at = kept;
    expect(await lookup()).toEqual([a]);
    play.at = over;
    expect(await lookup()).toEqual([b]);
    expect(queries).toHaveLength(2);
  });

  it.each([
    ['a server says so', final],
    ['no server answers', silent],
  ])('has no address for five seconds where %s', async (_why, answer) => {
    const { queries, play, lookup } = aResolver();
    const good = play.answer;
    play.answer = answer;
    expect(await lookup()).toBe('none');
    play.answer = good;
    play.at = 4_999;
    expect(await lookup()).toBe('none');
    play.at = 5_001;
    expect(await lookup()).toEqual([a]);
    expect(queries).toHaveLength(2);
  });

  it('is awaited until the deadline, and a later answer serves the next caller', async () => {
    const { play, lookup } = aResolver();
    let answer!: (found: Found) => void;
    play.answer = () => new Promise((resolve) => (answer = resolve));
    expect(await lookup()).toBe('none');
    answer({ addresses: [b], ttlMs: 5_000 });
    await new Promise(setImmediate);
    expect(await lookup()).toEqual([b]);
  });

  it('keeps its addresses for ten minutes if its servers stop answering', async () => {
    const { queries, play, lookup } = aResolver();
    await lookup();
    play.answer = silent;
    play.at = 31_000;
    expect(await lookup()).toEqual([a]);
    play.answer = hanging;
    play.at = 40_000;
    expect(await Promise.race([lookup(), new Promise(setImmediate)])).toEqual([a]);
    expect(queries).toHaveLength(3);
  });

  it('whose servers stay silent for longer has none', async () => {
    const { play, lookup } = aResolver();
    await lookup();
    play.answer = silent;
    for (play.at = 31_000; play.at < 600_000; play.at += 6_000) expect(await lookup()).toEqual([a]);
    play.at += 6_000;
    await lookup();
    await new Promise(setImmediate);
    expect(await lookup()).toBe('none');
  });

  it('that is gone is gone, though it was known', async () => {
    const { play, lookup } = aResolver();
    await lookup();
    play.answer = final;
    play.at = 31_000;
    expect(await lookup()).toBe('none');
  });
});

it('names that hang take no slot from one another, nor more than 500 in all', async () => {
  const { queries, play, lookup } = aResolver({ deadlineMs: 300 });
  play.answer = (name) => (name.startsWith('well') ? Promise.resolve({ addresses: [a], ttlMs: 5_000 }) : hanging());
  const waiting = Array.from({ length: 499 }, (_, i) => lookup(`hangs-${String(i)}`));
  expect(await lookup('well')).toEqual([a]);
  waiting.push(lookup('hangs-499'));
  expect(await lookup('well-2')).toBe('none');
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['none']));
  expect(queries).toHaveLength(501);
});
