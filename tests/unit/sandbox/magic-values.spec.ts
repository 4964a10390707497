import { readJsonText } from '../../../src/domain/shared/read-json';
import { magicOf } from '../../../src/sandbox/partners/magic-values';

describe('the magic of an amount', () => {
  it.each([
    ['"10.01"', 'declined'],
    ['10.02', 'stays in process'],
    ['0.03', 'times out'],
    ['12345678901234567.04', 'malformed'],
    ['"12345678901234567.05"', 'late'],
    ['1006e-2', 'double'],
    ['1.007E1', 'conflicting'],
    ['8e-2', 'refused once'],
    ['0.09', 'always refused'],
  ])('is read from the cents of %s, whatever its spelling', (amount, magic) => {
    expect(magicOf(readJsonText(amount))).toBe(magic);
  });

  it.each([['10'], ['"10.1"'], ['1.10'], ['10.00'], ['"10.001"'], ['1e1'], ['101'], ['9e-3'], ['"ten"'], ['null'], ['{}'], ['-1.01']])(
    'is not in %s',
    (amount) => {
      expect(magicOf(readJsonText(amount))).toBeUndefined();
    },
  );
});
