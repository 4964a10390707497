import { ECDH } from 'node:crypto';
import type { KeyReading } from '../../../domain/credentials/ports';
import { der, derContent, derElements, derInteger, derNumber, derObjectId, derTag, type DerElement } from './der';

const rsaEncryption = '1.2.840.113549.1.1.1';
const ecPublicKey = '1.2.840.10045.2.1';

/** Types of public keys other than RSA and EC, by object identifier. */
const otherTypes: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.10': 'rsa-pss',
  '1.2.840.10040.4.1': 'dsa',
  '1.2.840.113549.1.3.1': 'dh',
  '1.3.101.110': 'x25519',
  '1.3.101.111': 'x448',
  '1.3.101.112': 'ed25519',
  '1.3.101.113': 'ed448',
};

/** The supported curves by OpenSSL name. `size`: bytes of a coordinate. */
const curves: Readonly<Record<string, { readonly id: string; readonly jwk: string; readonly size: number }>> = {
  prime256v1: { id: '2a8648ce3d030107', jwk: 'P-256', size: 32 },
  secp384r1: { id: '2b81040022', jwk: 'P-384', size: 48 },
  secp521r1: { id: '2b81040023', jwk: 'P-521', size: 66 },
  secp256k1: { id: '2b8104000a', jwk: 'secp256k1', size: 32 },
};

/** Unsupported curves, only recognised to name them in messages. */
const otherCurves: Readonly<Record<string, string>> = {
  '1.2.840.10045.3.1.1': 'prime192v1',
  '1.3.132.0.33': 'secp224r1',
  '1.3.36.3.3.2.8.1.1.7': 'brainpoolP256r1',
  '1.3.36.3.3.2.8.1.1.11': 'brainpoolP384r1',
  '1.3.36.3.3.2.8.1.1.13': 'brainpoolP512r1',
};

/**
 * Reads the public key of an SPKI (RFC 5280 §4.1.2.7). It is parsed here and not by OpenSSL: Node 20 crashes when asked for the details of
 * an EC key at infinity, and OpenSSL accepts the sender's own curve parameters.
 */
export function readSpki(algorithm: readonly DerElement[], keyBits: Buffer): KeyReading {
  const [name, parameters, ...others] = algorithm;
  if (name?.tag !== derTag.objectId || others.length > 0 || keyBits[0] !== 0) return { found: 'nothing' };
  const id = derObjectId(name.content);
  const key = keyBits.subarray(1);
  // Some encoders omit the NULL (RFC 3279 §2.3.1 requires it).
  const isPlain = parameters === undefined || (parameters.tag === derTag.null && parameters.content.length === 0);
  if (id === rsaEncryption) return isPlain ? readRsa(key) : { found: 'nothing' };
  if (id === ecPublicKey) return readEc(parameters, key);
  return { found: 'other-public', type: otherTypes[id] ?? `a key of the type ${id}` };
}

/** Reads a PKCS #1 key: modulus and exponent. */
export function readRsa(key: Buffer): KeyReading {
  const content = derContent(key, derTag.sequence);
  const numbers =
    content && derElements(content)?.map(({ tag, content: digits }) => (tag === derTag.integer ? derNumber(digits) : undefined));
  const [modulus, exponent, ...others] = numbers ?? [];
  return modulus === undefined || exponent === undefined || others.length > 0 ? { found: 'nothing' } : rsaKey(modulus, exponent);
}

export function rsaKey(modulus: bigint, exponent: bigint): KeyReading {
  const algorithm = der(derTag.sequence, derObject('2a864886f70d010101'), der(derTag.null));
  const key = der(derTag.sequence, derInteger(modulus), derInteger(exponent));
  return { found: 'rsa', bits: modulus.toString(2).length, exponent, modulus, spki: spkiOf(algorithm, key) };
}

function readEc(parameters: DerElement | undefined, point: Buffer): KeyReading {
  // OpenSSL also recognises a curve by its parameters; crafted parameters must not pass as a standard curve
  // (contract/signatures#keys-and-secrets).
  if (parameters?.tag !== derTag.objectId) return { found: 'ec-parameters' };
  const curve = Object.entries(curves).find(([, { id }]) => id === parameters.content.toString('hex'))?.[0];
  if (curve !== undefined) return ecKey(curve, point);
  const id = derObjectId(parameters.content);
  return { found: 'other-public', type: `a key on ${otherCurves[id] ?? `the curve ${id}`}` };
}

/** The OpenSSL name of a JWK curve (RFC 7518 §6.2.1.1, RFC 8812). */
export const curveOfJwk = (crv: unknown): string | undefined => Object.entries(curves).find(([, { jwk }]) => jwk === crv)?.[0];

/** Converts the point, compressed or not, to the stored form: uncompressed, with a named curve. */
export function ecKey(curve: string, point: Buffer): KeyReading {
  const { id, size } = curves[curve]!;
  const isPoint = point.length === (point[0] === 4 ? 2 * size + 1 : size + 1) && [2, 3, 4].includes(point[0]!);
  const whole = isPoint ? uncompressed(curve, point) : undefined;
  if (!whole) return { found: 'ec-point', curve };
  return { found: 'ec', curve, spki: spkiOf(der(derTag.sequence, derObject('2a8648ce3d0201'), derObject(id)), whole) };
}

function uncompressed(curve: string, point: Buffer): Buffer | undefined {
  try {
    // Throws when the point is not on the curve. Without an output encoding the result is a Buffer.
    return ECDH.convertKey(point, curve, undefined, undefined, 'uncompressed') as Buffer;
  } catch {
    return undefined;
  }
}

const derObject = (hex: string): Buffer => der(derTag.objectId, Buffer.from(hex, 'hex'));

function spkiOf(algorithm: Buffer, key: Buffer): string {
  const bytes = der(derTag.sequence, algorithm, der(derTag.bitString, Buffer.from([0]), key));
  const lines = bytes.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN PUBLIC KEY-----\n${lines}\n-----END PUBLIC KEY-----\n`;
}
