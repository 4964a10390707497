import { JsonObject, type Json } from '../../../src/domain/shared/json';
import { printJson } from '../../../src/domain/shared/print-json';

const theirs = JsonObject.of({ b: 'their b', a: null, c: JsonObject.of({ d: true }) });

describe('an object with changes', () => {
  const changed = theirs.changedBy({ z: 'new', a: 'ours', y: undefined });

  it('has changed members in their places and new ones at its end', () => {
    expect(printJson(changed)).toBe('{"b":"their b","a":"ours","c":{"d":true},"z":"new"}');
  });

  it('prints sorted members, too', () => {
    expect(printJson(changed, { sortKeys: true })).toBe('{"a":"ours","b":"their b","c":{"d":true},"z":"new"}');
  });

  it('reads as an object of the same members', () => {
    const { members } = changed;
    const seen: [string, Json][] = [];
    members.forEach((value, name) => seen.push([name, value]));
    expect(new Map(seen)).toEqual(new Map(members));
    expect([...members.keys()]).toEqual(['b', 'a', 'c', 'z']);
    expect([...members.values()]).toEqual(seen.map(([, value]) => value));
    expect([members.size, members.has('z'), members.has('y')]).toEqual([4, true, false]);
    expect(['a', 'b', 'y', 'z'].map((name) => changed.get(name))).toEqual(['ours', 'their b', undefined, 'new']);
  });

  it('leaves the first object as it is', () => {
    expect(printJson(theirs)).toBe('{"b":"their b","a":null,"c":{"d":true}}');
  });
});
