import { InvalidInput } from '../../shared/errors';
import type { KeyReading } from '../ports';
import { rsaWeakness, type RsaWeakness } from './rsa-weakness';
import type { SignatureAlgorithm } from './signature-settings';

/** Why a key or a secret cannot be stored: a stable name for programs and a stable sentence for people. */
export interface KeyRefusal {
  readonly cause: string;
  readonly rule: string;
}

/** Curves that ECDSA may use, by their OpenSSL names: P-256, P-384, P-521 and secp256k1 (contract/signatures#algorithms). */
const curves: readonly string[] = ['prime256v1', 'secp384r1', 'secp521r1', 'secp256k1'];

/** Input of the key rules that depend on the partner. */
export interface KeyFit {
  readonly algorithm?: SignatureAlgorithm | undefined;
  /** The platform's own public keys for this partner, as SPKI in PEM. */
  readonly own?: readonly string[];
}

type PublicKeyReading = Extract<KeyReading, { spki: string }>;
type OtherReading = Exclude<KeyReading, PublicKeyReading>;

/** The refusal of a public key that the platform made, for any app. */
const platformKeyRefusal: KeyRefusal = {
  cause: 'platform-key',
  rule: "is the platform's own public key: send the partner's",
};

/**
 * The owner of a taken key. `platform`: the platform itself; `other-app`: another app; `unproven`: another app, and the partner that wants
 * to share the key has not proved that it holds it; `unsafe`: another app, whose own settings do not allow sharing yet.
 */
export type KeyTaker = 'platform' | 'other-app' | 'unproven' | 'unsafe';

// No refusal names the other app, so that a partner never learns which app has the key (contract/signatures#shared-keys).
const takenKeyRefusals: Readonly<Record<KeyTaker, KeyRefusal>> = {
  platform: platformKeyRefusal,
  'other-app': {
    cause: 'key-in-use',
    rule: 'is the key of another app: each app signs with a key pair of its own, unless acknowledge_shared_key: true is sent with it',
  },
  unproven: {
    cause: 'shared-key-proof',
    rule: 'is the key of another app: to share it, send it to rotate with a signed challenge and acknowledge_shared_key: true',
  },
  unsafe: {
    cause: 'shared-key-other-app',
    rule: 'cannot be shared yet: the other app needs an api_client_id, and {client_id} and {payload} in its payload_template',
  },
};

/** Thrown when the public key is one of the platform's, or another host app or miniapp has it in any slot. */
export class KeyTaken extends InvalidInput {
  constructor(
    private readonly by: KeyTaker,
    path = 'signature.partner_public_key',
  ) {
    super([{ path, ...takenKeyRefusals[by] }]);
  }

  /** The same error at the path of the member that held the key. */
  at(path: string): KeyTaken {
    return new KeyTaken(this.by, path);
  }
}

/**
 * Why a partner's public key cannot be stored (contract/signatures#keys-and-secrets); `undefined` when it can. RSA: 2048 to 8192 bits, an
 * odd exponent of 65537 or more, a modulus that cannot be factored easily; EC: a named curve of the list.
 */
export function keyProblem(key: KeyReading, { algorithm, own = [] }: KeyFit = {}): KeyRefusal | undefined {
  if (!('spki' in key)) return unusable(key);
  if (own.includes(key.spki)) return platformKeyRefusal;
  return fitProblem(key, algorithm) ?? (key.found === 'rsa' ? rsaProblem(key) : ecProblem(key));
}

const refusals: Readonly<Record<Exclude<OtherReading['found'], 'other-public'>, KeyRefusal>> = {
  private: {
    cause: 'private-key',
    rule: 'is a private key: retire this key pair, it has left its owner, and send the public key of a new one',
  },
  nothing: { cause: 'not-a-key', rule: 'must be a public key in PEM, base64 DER or JWK' },
  'escaped-line-breaks': {
    cause: 'escaped-line-breaks',
    rule: 'has \\n as two characters where lines should end: paste it with line breaks',
  },
  'several-keys': { cause: 'several-keys', rule: 'holds more than one public key: send one' },
  'base64-of-pem': { cause: 'base64-of-pem', rule: 'is the base64 of a PEM: send the PEM itself' },
  certificate: {
    cause: 'certificate',
    rule: 'is a certificate: send its public key, as `openssl x509 -in certificate.pem -pubkey -noout` prints it',
  },
  'certificate-request': {
    cause: 'certificate-request',
    rule: 'is a certificate request: send its public key, as `openssl req -in request.pem -pubkey -noout` prints it',
  },
  'ssh-key': {
    cause: 'ssh-key',
    rule: 'is an SSH key: send it in PEM, as `ssh-keygen -e -m PKCS8 -f key.pub` prints it',
  },
  'pgp-key': { cause: 'pgp-key', rule: 'is a PGP key: make an RSA or EC key pair for signing and send its public key' },
  'jwk-set': { cause: 'jwk-set', rule: 'is a set of JSON Web Keys: send the one key that requests are signed with' },
  'ec-point': { cause: 'ec-point', rule: 'has a point that is not on its curve: it is damaged' },
  'ec-parameters': { cause: 'ec-parameters', rule: 'has curve parameters of its own: it must name its curve' },
};

/** Why a text is not a public key that can be stored. */
export function unusable(key: OtherReading): KeyRefusal {
  if (key.found !== 'other-public') return refusals[key.found];
  return { cause: 'key-type', rule: `must be an RSA key or an EC key on P-256, P-384, P-521 or secp256k1; it is ${key.type}` };
}

const weaknesses: Readonly<Record<RsaWeakness, string>> = {
  'small-factor': 'has a modulus with a small factor: it is damaged or no RSA key',
  'close-factors': 'has a modulus whose factors lie close together: everybody can find them',
  'predictable-factors': 'has a modulus of a generator whose factors can be found (CVE-2017-15361)',
};

/** Upper bound of the public exponent (FIPS 186-5 §5.1). */
const exponentEnd = 2n ** 256n;

function rsaProblem({ bits, exponent, modulus }: Extract<KeyReading, { found: 'rsa' }>): KeyRefusal | undefined {
  if (bits < 2048 || bits > 8192) return { cause: 'rsa-size', rule: `must have 2048 to 8192 bits, not ${String(bits)}` };
  if (exponent < 65537n || exponent % 2n === 0n || exponent >= exponentEnd) {
    return { cause: 'rsa-exponent', rule: 'must have an odd public exponent of 65537 or more, below 2^256' };
  }
  const weakness = rsaWeakness(modulus);
  return weakness && { cause: 'rsa-modulus', rule: weaknesses[weakness] };
}

function ecProblem({ curve }: Extract<KeyReading, { found: 'ec' }>): KeyRefusal | undefined {
  return curves.includes(curve) ? undefined : { cause: 'key-type', rule: 'must be on the named curve P-256, P-384, P-521 or secp256k1' };
}

function fitProblem(key: PublicKeyReading, algorithm: SignatureAlgorithm | undefined): KeyRefusal | undefined {
  if (algorithm === 'RSA2' && key.found !== 'rsa') return { cause: 'key-algorithm', rule: 'must be an RSA key, as the algorithm is RSA2' };
  if (algorithm === 'ECDSA' && key.found !== 'ec') return { cause: 'key-algorithm', rule: 'must be an EC key, as the algorithm is ECDSA' };
  return undefined;
}

/** The base64 text of the DER inside a PEM, as partners with `key_format: DER` read it. */
export const derTextOf = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '');
