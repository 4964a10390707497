import { generateKeyPairSync } from 'node:crypto';
import { keyProblem } from '../../../src/domain/credentials/signing/key-rules';
import type { KeyReading } from '../../../src/domain/credentials/ports';
import { rsaWeakness } from '../../../src/domain/credentials/signing/rsa-weakness';
import { jwkOf } from '../../support/signatures/jwk-of';

const modulusOf = (n: string) => BigInt(`0x${Buffer.from(n, 'base64url').toString('hex')}`);
const modulus = modulusOf(jwkOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey).n!);

const isPrime = (value: bigint) => [2n, 3n, 5n, 7n, 11n, 13n, 17n].every((base) => power(base, value - 1n, value) === 1n);
function power(base: bigint, exponent: bigint, of: bigint): bigint {
  let result = 1n;
  for (let square = base % of, left = exponent; left > 0n; left >>= 1n, square = (square * square) % of) {
    if (left & 1n) result = (result * square) % of;
  }
  return result;
}
const isFreeOfSmallFactors = (value: bigint) => Array.from({ length: 998 }, (_, i) => BigInt(i + 2)).every((n) => value % n !== 0n);
function primeFrom(start: bigint): bigint {
  for (let candidate = start | 1n; ; candidate += 2n) if (isPrime(candidate)) return candidate;
}

describe('the modulus of an RSA key', () => {
  it('of OpenSSL gives nothing away', () => {
    for (let i = 0; i < 3; i++) {
      const { n } = jwkOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey);
      expect(rsaWeakness(modulusOf(n!))).toBeUndefined();
    }
  });

  it.each([2n, 3n, 997n])('is refused with the factor %s', (factor) => {
    expect(rsaWeakness(modulus - (modulus % factor))).toBe('small-factor');
  });

  it('is refused where its factors lie close together, or are one', () => {
    const p = primeFrom(modulus >> 1024n);
    const q = primeFrom(p + 2n ** 64n);
    expect(rsaWeakness(p * p)).toBe('close-factors');
    expect(rsaWeakness(p * q)).toBe('close-factors');
    expect(rsaWeakness(p * primeFrom(p + 2n ** 1020n))).toBeUndefined();
  });

  it('is refused if it comes from a generator whose primes can be predicted', () => {
    const primes = Array.from({ length: 166 }, (_, i) => BigInt(i + 2)).filter((n, _i, all) => all.every((m) => m >= n || n % m !== 0n));
    const product = primes.reduce((all, prime) => all * prime, 1n);
    let traced = power(65537n, 123_456_789n, product) + product * (modulus / product);
    // A number by chance has a small factor one time in four, and that error would come first.
    while (!isFreeOfSmallFactors(traced)) traced += product;
    expect(rsaWeakness(traced)).toBe('predictable-factors');
    expect(rsaWeakness(modulus)).toBeUndefined();
  });
});

describe('an RSA key', () => {
  const rsa = (change: Partial<Extract<KeyReading, { found: 'rsa' }>>): KeyReading => ({
    ...{ found: 'rsa', bits: 2048, exponent: 65537n, modulus, spki: 'pem' },
    ...change,
  });

  it.each<[string | undefined, Partial<Extract<KeyReading, { found: 'rsa' }>>]>([
    [undefined, {}],
    ['rsa-size', { bits: 2047 }],
    [undefined, { bits: 8192 }],
    ['rsa-size', { bits: 8193 }],
    ['rsa-exponent', { exponent: 1n }],
    ['rsa-exponent', { exponent: 65535n }],
    ['rsa-exponent', { exponent: 65538n }],
    [undefined, { exponent: 65539n }],
    [undefined, { exponent: 2n ** 256n - 1n }],
    ['rsa-exponent', { exponent: 2n ** 256n + 1n }],
    ['rsa-modulus', { modulus: modulus - 1n }],
  ])('is refused by the name %s: %s', (cause, change) => {
    expect(keyProblem(rsa(change))?.cause).toBe(cause);
  });
});
