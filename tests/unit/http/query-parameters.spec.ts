import { queryParameters } from '../../../src/adapters/in/http/reading/query-parameters';

describe('the parameters of a query', () => {
  it.each([
    ['/a', []],
    ['/a?', []],
    [
      '/a?b=c&b=d',
      [
        ['b', 'c'],
        ['b', 'd'],
      ],
    ],
    ['/a?b=c?d', [['b', 'c?d']]],
    ['/a?b=%E7%94%B1+%F0%9F%98%80', [['b', '由 😀']]],
    ['/a?b=100%', [['b', '100%']]],
    ['/a?%3Cb%3E', [['<b>', '']]],
  ])('of %s are %j', (target, expected) => {
    expect(queryParameters(target)).toEqual(expected);
  });

  it.each([
    ['NUL', 'b=%00'],
    ['NUL in a name', 'b%00=1'],
    ['half a surrogate pair', 'b=%ED%A0%80'],
    ['a byte that begins nothing', 'b=%FF'],
    ['half a character', 'b=%C3&c=d'],
    ['an overlong form', 'b=%C0%80'],
    ['more than anybody sends', 'b=1&'.repeat(101)],
  ])('are refused with %s', (_what, query) => {
    expect(() => queryParameters(`/a?${query}`)).toThrow();
  });
});
