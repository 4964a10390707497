import fc from 'fast-check';
import { plainDecimal } from '../../../src/domain/shared/decimal';
import { JsonNumber } from '../../../src/domain/shared/json';

const number = (text: string) => new JsonNumber(text);

describe('plainDecimal', () => {
  it.each([
    ['1.10', '1.1'],
    ['0', '0'],
    ['0.00', '0'],
    ['0.01', '0.01'],
    ['100', '100'],
    ['-5.50', '-5.5'],
    ['12345678901234567.10', '12345678901234567.1'],
    [number('1.10'), '1.1'],
    [number('1E5'), '100000'],
    [number('1.5e1'), '15'],
    [number('105e-2'), '1.05'],
    [number('5e-2'), '0.05'],
    [number('-0'), '0'],
    [number('-0.0e7'), '0'],
  ])('says %j as %s', (json, text) => {
    expect(plainDecimal(json)).toBe(text);
  });

  it.each([['1E5'], ['x'], ['+1'], [''], [null], [true], [[]], [number('1e400')], [number('1e-400')], [number('1e99999999999999999999')]])(
    'has no word for %j',
    (json) => {
      expect(plainDecimal(json)).toBeUndefined();
    },
  );

  it('keeps the value of hundredths, however they are written', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 19n), 10n ** 19n), fc.nat(3), (cents, zeros) => {
        const text = `${cents < 0n ? '-' : ''}${wholeOf(cents)}.${restOf(cents)}${'0'.repeat(zeros)}`;
        const plain = plainDecimal(text) ?? '';
        const [whole = '', rest = ''] = plain.split('.');
        expect(BigInt(`${whole}${rest.padEnd(2, '0')}`)).toBe(cents);
        expect(plainDecimal(number(`${cents}e-2`))).toBe(plain);
        expect(plain).toMatch(/^-?(0|[1-9]\d*)(\.\d?[1-9])?$/);
      }),
    );
  });
});

const absolute = (cents: bigint): bigint => (cents < 0n ? -cents : cents);
const wholeOf = (cents: bigint): string => String(absolute(cents) / 100n);
const restOf = (cents: bigint): string => String(absolute(cents) % 100n).padStart(2, '0');
