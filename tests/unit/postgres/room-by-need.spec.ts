import { LRUCache } from 'lru-cache';
import { roomByNeed } from '../../../src/adapters/out/postgres/room-by-need';

describe('room by need', () => {
  it('keeps the newest, as many as were said', () => {
    const cache = new LRUCache<string, number>(roomByNeed(3));
    for (const n of [1, 2, 3, 4]) cache.set(`key ${n}`, n);
    expect([...cache.keys()]).toEqual(['key 4', 'key 3', 'key 2']);
  });

  it('takes what is set again for one entry, the newest', () => {
    const cache = new LRUCache<string, number>(roomByNeed(2));
    for (const key of ['a', 'b', 'a', 'a', 'c']) cache.set(key, 0);
    expect([...cache.keys()]).toEqual(['c', 'a']);
  });

  it('gives the place of what was deleted to what comes next', () => {
    const cache = new LRUCache<string, number>(roomByNeed(2));
    cache.set('a', 1).set('b', 2);
    cache.delete('a');
    cache.set('c', 3);
    expect([...cache.keys()]).toEqual(['c', 'b']);
  });
});
