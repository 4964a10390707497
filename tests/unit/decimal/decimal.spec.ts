import fc from 'fast-check';
import { decimalProblem, quantityProblem, type DecimalRules } from '../../../src/domain/shared/decimal';
import { JsonNumber, JsonObject, type Json } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';

const number = (text: string) => new JsonNumber(text);
const latitude: DecimalRules = { digits: 17, scale: 15, min: '-90', max: '90', allowNegative: true };
const longitude: DecimalRules = { digits: 18, scale: 15, min: '-180', max: '180', allowNegative: true };

describe('a decimal', () => {
  it.each(['0', '1', '1.1', '1.10', '0.05', '99999999999999999999', '999999999999999999.99', '0.00', '1.000', '-0', '-0.00'])(
    'is the text or number %s',
    (text) => {
      expect(decimalProblem(text)).toBeUndefined();
      expect(decimalProblem(readJsonText(text))).toBeUndefined();
    },
  );

  it.each(['007.50', '00', `${'0'.repeat(62)}.5`, '-000'])('is the text %s, padded with zeros, but not the number', (text) => {
    expect(decimalProblem(text)).toBeUndefined();
    expect(decimalProblem(new JsonNumber(text))).toBe('must be a decimal');
  });

  it.each(['1e2', '1E+2', '1.5e1', '1e19', '12e-2', '100e-4', '0e999999999999', '0.0e-999', '1.0E0'])(
    'is the number %s, but not the text',
    (text) => {
      expect(decimalProblem(new JsonNumber(text))).toBeUndefined();
      expect(decimalProblem(text)).toBe('must be a decimal');
    },
  );

  it.each([
    '',
    ' ',
    '+1',
    ' 1',
    '1 ',
    '1\n',
    '1.',
    '.5',
    '1,5',
    '1_0',
    '0x1',
    '--1',
    '-',
    'NaN',
    'Infinity',
    '１',
    '٣',
    '1.2.3',
    '1e',
    'null',
  ])('is not the text %j', (text) => {
    expect(decimalProblem(text)).toBe('must be a decimal');
  });

  it.each<[string, Json]>([
    ['null', null],
    ['true', true],
    ['a list', ['1']],
    ['an object', JsonObject.of({ amount: '1' })],
    ['a number made in code that is none', new JsonNumber('NaN')],
  ])('is not %s', (_what, json) => {
    expect(decimalProblem(json)).toBe('must be a decimal');
  });

  it.each<[string, Json]>([
    ['text', '0.'.padEnd(65, '0')],
    ['number', new JsonNumber('1.'.padEnd(65, '0'))],
    ['number of 60,000 zeros', new JsonNumber(`1.${'0'.repeat(60_000)}1`)],
  ])('has at most 64 characters: %s', (_what, json) => {
    expect(decimalProblem(json)).toBe('at most 64 characters');
  });

  it.each([
    ['100000000000000000000', 'at most 20 digits'],
    ['1e20', 'at most 20 digits'],
    ['1e99999999999999999999999', 'at most 20 digits'],
    ['999999999999999999999.99', 'at most 20 digits'],
    ['1234567890123456789.12', 'at most 20 digits'],
    ['0.001', 'at most 2 digits after the point'],
    ['1e-3', 'at most 2 digits after the point'],
    ['1e-99999999999999999999999', 'at most 2 digits after the point'],
    ['-0.01', 'must not be negative'],
    ['-1e-400', 'must not be negative'],
  ])('the number %s: %s', (text, problem) => {
    expect(decimalProblem(new JsonNumber(text))).toBe(problem);
  });

  it.each([
    ['90', latitude, undefined],
    ['-90', latitude, undefined],
    ['90.000000000000000', latitude, undefined],
    ['90.000000000000001', latitude, 'at most 90'],
    ['-90.000000000000001', latitude, 'at least -90'],
    ['91', latitude, 'at most 90'],
    ['-0.5', latitude, undefined],
    ['1.1234567890123456', latitude, 'at most 15 digits after the point'],
    ['52.520006599999994', latitude, undefined],
    ['180', longitude, undefined],
    ['179.999999999999999', longitude, undefined],
    ['-180.1', longitude, 'at least -180'],
    ['1800', longitude, 'at most 180'],
    ['18', longitude, undefined],
  ])('%s within its bounds: %#', (text, rules, problem) => {
    expect(decimalProblem(text, rules)).toBe(problem);
    expect(decimalProblem(new JsonNumber(text), rules)).toBe(problem);
  });

  it('takes no bound that is no decimal', () => {
    expect(() => decimalProblem('1', { min: '1e1' })).toThrow(TypeError);
  });
});

/** The value × 10^40 as a BigInt: exact, by other means. */
function scaled(text: string): bigint {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const shift = 40 + Number(exponent) - fraction.length;
  const size = BigInt(whole + fraction) * 10n ** BigInt(shift);
  return mantissa.startsWith('-') ? -size : size;
}

const one = 10n ** 40n;

it('agrees with exact arithmetic on whole numbers', () => {
  const text = fc.stringMatching(/^-?(0|[1-9][0-9]{0,6})(\.[0-9]{1,6})?([eE][+-]?[0-9])?$/);
  const bounds = fc.tuple(fc.integer({ min: -2000, max: 2000 }), fc.integer({ min: 0, max: 4000 }));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 8 }), bounds, (number, digits, scale, [min, width]) => {
      const value = scaled(number);
      const max = min + width;
      const size = value < 0n ? -value : value;
      let after = 0;
      while ((size * 10n ** BigInt(after)) % one !== 0n) after++;
      const before = size < one ? 0 : (size / one).toString().length;
      const fits = after <= scale && before + after <= digits && value >= BigInt(min) * one && value <= BigInt(max) * one;
      const problem = decimalProblem(new JsonNumber(number), { digits, scale, min: String(min), max: String(max), allowNegative: true });
      expect(problem === undefined).toBe(fits);
      const refusedSign = decimalProblem(new JsonNumber(number), { digits: 99, scale: 99 }) === 'must not be negative';
      expect(refusedSign).toBe(value < 0n);
    }),
    { numRuns: 3_000 },
  );
});

describe('a quantity', () => {
  it.each<[Json]>([
    ['2'],
    [number('2')],
    [number('2.0')],
    [number('1e0')],
    ['2.00'],
    ['007'],
    [number('0')],
    [number('2147483647')],
    ['2147483647'],
  ])('may be %j', (json) => {
    expect(quantityProblem(json)).toBeUndefined();
  });

  it.each<[Json, string]>([
    [number('1.5'), 'must be a whole number'],
    [number('1e-1'), 'must be a whole number'],
    ['1e0', 'must be a whole number'],
    ['', 'must be a whole number'],
    [true, 'must be a whole number'],
    [null, 'must be a whole number'],
    [number('-1'), 'must not be negative'],
    [number('2147483648'), 'at most 2147483647'],
    [number('1e400'), 'at most 2147483647'],
    ['9'.repeat(65), 'at most 64 characters'],
  ])('may not be %j: %s', (json, problem) => {
    expect(quantityProblem(json)).toBe(problem);
  });
});
