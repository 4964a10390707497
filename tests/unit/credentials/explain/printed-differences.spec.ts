import { escapesPhrase, printedDifferences } from '../../../../src/domain/credentials/explain/deviations/printed-differences';

describe('the phrase on escapes', () => {
  it.each([
    ['"ü"', '"\\u00fc"', 'spells characters as \\u escapes'],
    ['"ü"', '"\\u00FC"', 'spells characters as \\u escapes with capital digits'],
    ['"\\u00fc"', '"\\u00FC"', 'spells characters as \\u escapes with capital digits'],
    ['"\\u00FC"', '"\\u00fc"', 'spells its \\u escapes with small digits'],
    ['"\\u00fc"', '"ü"', 'holds characters as themselves'],
    ['"\\u001b\\u00fc"', '"\\u001bü"', 'holds characters as themselves'],
    ['"\\u00FCé"', '"\\u00FC\\u00e9"', 'spells characters as \\u escapes'],
    ['"\\u00FC é"', '"\\u00fc \\u00e9"', 'spells characters as \\u escapes'],
    ['"\\\\u00FC\\u00fc"', '"\\\\u00FCü"', 'holds characters as themselves'],
  ])('of %s beside %s', (sent, signed, phrase) => {
    expect(escapesPhrase(sent, signed)).toBe(phrase);
    expect(printedDifferences(sent, signed)).toEqual([{ code: 'body-escaped-unicode', phrase }]);
  });

  it('is the same in whatever order the members stand', () => {
    const [sent, signed] = ['{"b":"\\u00FC","a":"\\u00E9"}', '{"a":"\\u00e9","b":"\\u00fc"}'];
    expect(escapesPhrase(sent, signed)).toBe('spells its \\u escapes with small digits');
  });
});
