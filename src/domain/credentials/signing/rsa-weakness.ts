/** Why the modulus of an RSA key can be factored, or looks as if it can. */
export type RsaWeakness = 'small-factor' | 'close-factors' | 'predictable-factors';

/** Tries the cheapest attacks on a modulus of at least three bits; `undefined` when none succeeds. Takes some milliseconds. */
export function rsaWeakness(modulus: bigint): RsaWeakness | undefined {
  if (smallPrimes.some((prime) => modulus % prime === 0n)) return 'small-factor';
  if (isPredictable(modulus)) return 'predictable-factors';
  return hasCloseFactors(modulus) ? 'close-factors' : undefined;
}

const smallPrimes: readonly bigint[] = primesBelow(1000);

function primesBelow(limit: number): bigint[] {
  const primes: bigint[] = [];
  for (let candidate = 2n; candidate < BigInt(limit); candidate++) {
    if (primes.every((prime) => candidate % prime !== 0n)) primes.push(candidate);
  }
  return primes;
}

/**
 * Some smart cards generate factors that are powers of 65537 modulo a product of small primes (CVE-2017-15361); then the modulus is such a
 * power modulo each of these primes. A secure modulus matches in one of 10^8 cases.
 */
const traces = smallPrimes.filter((prime) => prime > 2n && prime <= 167n).map((prime) => ({ prime, powers: powersOf65537(prime) }));

function powersOf65537(prime: bigint): ReadonlySet<bigint> {
  const powers = new Set<bigint>();
  for (let power = 1n; !powers.has(power); power = (power * 65537n) % prime) powers.add(power);
  return powers;
}

const isPredictable = (modulus: bigint): boolean => traces.every(({ prime, powers }) => powers.has(modulus % prime));

const fermatSteps = 100;

/** Fermat's method finds factors that lie close together from the square root of the modulus (CVE-2022-26320). */
function hasCloseFactors(modulus: bigint): boolean {
  const root = rootOf(modulus);
  for (let a = root * root === modulus ? root : root + 1n, step = 0; step < fermatSteps; a++, step++) {
    const square = a * a - modulus;
    // Skips most candidates quickly: the last four bits of a square are 0, 1, 4 or 9.
    if (![0n, 1n, 4n, 9n].includes(square & 15n)) continue;
    const b = rootOf(square);
    if (b * b === square) return true;
  }
  return false;
}

/** The integer square root, by Newton's method. */
function rootOf(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
