import { mergePatch, type Plain, plainOf } from '../../../src/adapters/in/http/manage/http/merge-patch';
import type { JsonObject } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';

// RFC 7396, appendix A.
const cases: readonly [string, string, string][] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
];

it.each(cases)('%s patched by %s is %s', (target, patch, result) => {
  const before = JSON.parse(target) as Plain;
  expect(JSON.parse(JSON.stringify(mergePatch(before, JSON.parse(patch) as Plain)))).toEqual(JSON.parse(result));
  expect(before).toEqual(JSON.parse(target));
});

it('leaves names behind that every object inherits, and names them', () => {
  const json = readJsonText('{"a":{"__proto__":{"b":1},"c":[{"constructor":1}]},"valueOf":1,"d":1.50}') as JsonObject;
  const { plain, problems } = plainOf(json);
  expect(JSON.stringify(plain)).toBe('{"a":{"c":[{}]},"d":1.5}');
  expect(problems.map(({ path }) => path)).toEqual(['a.__proto__', 'a.c[0].constructor', 'valueOf']);
  expect(({} as Record<string, unknown>)['b']).toBeUndefined();
});

describe('a body that holds more than any settings', () => {
  it.each([
    ['members', () => Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`m${String(i)}`, i])), ''],
    ['members inside', () => ({ a: [Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`m${String(i)}`, i]))] }), 'a[0]'],
    ['values', () => ({ a: Array.from({ length: 10_000 }, () => ({})) }), 'a[9999]'],
  ])('gets one problem: %s', (_what, body, path) => {
    const { problems } = plainOf(readJsonText(JSON.stringify(body())) as JsonObject);
    expect(problems).toEqual([{ path, rule: expect.stringMatching(/at most 200 members|more than 10000 values/) }]);
  });
});
