import type { KeyReading } from './ports';
import type { SignatureAlgorithm } from './signature-settings';

/** The curves that ECDSA may use: P-256, P-384, P-521 and secp256k1, by the names of OpenSSL (decisions §4). */
const curves: readonly string[] = ['prime256v1', 'secp384r1', 'secp521r1', 'secp256k1'];

/** What a public key must fit, beside the rules for every key. */
export interface KeyFit {
  readonly algorithm?: SignatureAlgorithm | undefined;
  /** The platform's own public keys for this partner, as SPKI in PEM. */
  readonly own?: readonly string[];
}

type PublicKeyReading = Extract<KeyReading, { spki: string }>;

/**
 * Why a partner's public key cannot be stored (decisions §4, threat T19); `undefined`: it can. RSA: 2048 to 8192 bits,
 * exponent 65537 or more; EC: a named curve of the list.
 */
export function keyProblem(key: KeyReading, { algorithm, own = [] }: KeyFit = {}): string | undefined {
  if (!('spki' in key)) return unusable(key);
  if (own.includes(key.spki)) return "is the platform's own public key: send the partner's";
  return (key.found === 'rsa' ? rsaProblem(key) : ecProblem(key)) ?? fitProblem(key, algorithm);
}

/** Why a text is no public key that could be kept at all. */
export function unusable(key: Exclude<KeyReading, PublicKeyReading>): string {
  if (key.found === 'private') return 'is a private key: retire this key pair, it has left its owner, and send the public key of a new one';
  if (key.found === 'nothing') return 'must be a public key in PEM or base64 DER';
  return `must be an RSA key or an EC key on P-256, P-384, P-521 or secp256k1; it is ${key.type}`;
}

function rsaProblem({ bits, exponent }: Extract<KeyReading, { found: 'rsa' }>): string | undefined {
  if (bits < 2048 || bits > 8192) return `must have 2048 to 8192 bits, not ${String(bits)}`;
  if (exponent < 65537n) return 'must have a public exponent of 65537 or more';
  return undefined;
}

function ecProblem({ curve }: Extract<KeyReading, { found: 'ec' }>): string | undefined {
  return curves.includes(curve) ? undefined : 'must be on the named curve P-256, P-384, P-521 or secp256k1';
}

function fitProblem(key: PublicKeyReading, algorithm: SignatureAlgorithm | undefined): string | undefined {
  if (algorithm === 'RSA2' && key.found !== 'rsa') return 'must be an RSA key, as the algorithm is RSA2';
  if (algorithm === 'ECDSA' && key.found !== 'ec') return 'must be an EC key, as the algorithm is ECDSA';
  return undefined;
}

/** The base64 text of the DER inside a PEM: the form that partners with `key_format: DER` read. */
export const derTextOf = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '');
