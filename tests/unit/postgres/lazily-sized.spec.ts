import { LRUCache } from 'lru-cache';
import { lazilySized } from '../../../src/adapters/out/postgres/connection/lazily-sized';

describe('room by need', () => {
  it('keeps the newest, as many as were said', () => {
    const cache = new LRUCache<string, number>(lazilySized(3));
    for (const n of [1, 2, 3, 4]) cache.set(`key ${n}`, n);
    expect([...cache.keys()]).toEqual(['key 4', 'key 3', 'key 2']);
  });

  it('replaces the value of a key that is set again', () => {
    const cache = new LRUCache<string, number>(lazilySized(2));
    for (const key of ['a', 'b', 'a', 'a', 'c']) cache.set(key, 0);
    expect([...cache.keys()]).toEqual(['c', 'a']);
  });

  it('reuses the slot of a deleted entry', () => {
    const cache = new LRUCache<string, number>(lazilySized(2));
    cache.set('a', 1).set('b', 2);
    cache.delete('a');
    cache.set('c', 3);
    expect([...cache.keys()]).toEqual(['c', 'b']);
  });
});
