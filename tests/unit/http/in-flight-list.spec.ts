import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { InFlightList, type ListNode } from '../../../src/adapters/in/http/admission/in-flight-list';

describe('the list of calls in flight', () => {
  it('stands in the order in which it came', () => {
    const calls = new InFlightList<string>();
    const [, second] = ['first', 'second', 'third'].map((call) => calls.enter(call));
    expect(calls.all()).toEqual(['first', 'second', 'third']);
    expect(calls.leave(second!)).toBe(true);
    expect(calls.all()).toEqual(['first', 'third']);
    expect([calls.size, calls.oldest]).toEqual([2, 'first']);
  });

  it('leaves once', () => {
    const calls = new InFlightList<string>();
    const nodes = ['first', 'second'].map((call) => calls.enter(call));
    expect(nodes.map((node) => calls.leave(node))).toEqual([true, true]);
    expect(nodes.map((node) => calls.leave(node))).toEqual([false, false]);
    expect([calls.size, calls.oldest]).toEqual([0, undefined]);
    calls.enter('third');
    expect(calls.all()).toEqual(['third']);
  });

  it('keeps nothing in memory that has left, not even until a full collection', () => {
    const calls = new InFlightList<object>();
    const nodes: ListNode<object>[] = [];
    const grown = oldBytesOf(() => {
      nodes.push(calls.enter(Array.from({ length: bytesOfOne / 8 }, () => 0)));
      if (nodes.length > atOnce) calls.leave(nodes.shift()!);
    });
    expect(grown).toBeLessThan(comings * bytesOfOne * 0.1);
  });
});

const atOnce = 64;
const comings = 6400;
const bytesOfOne = 2048;

/** By how many bytes the old generation grows while `come` is called, and only young objects are collected. */
function oldBytesOf(come: () => void): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how?: { type: 'minor' }) => void;
  collect();
  const before = oldBytes();
  for (let n = 0; n < comings; n++) {
    come();
    if (n % 200 === 0) collect({ type: 'minor' });
  }
  return oldBytes() - before;
}

const oldBytes = (): number => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0;
