import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { KeyImport, KeyReading } from '../../../domain/credentials/ports';

/** Beyond this a text is no key: an RSA key of 8192 bits takes 1,500 characters. */
const maxLength = 10_000;
const publicPem = /^-----BEGIN (RSA )?PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END \1?PUBLIC KEY-----$/;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const ecPublicKeyOid = Buffer.from('06072a8648ce3d0201', 'hex');
const objectIdentifier = 0x06;

/** Reads pasted keys with node:crypto. */
export class NodeKeyImport implements KeyImport {
  read(text: string): KeyReading {
    const trimmed = text.trim();
    if (trimmed.length > maxLength) return { found: 'nothing' };
    // Said of the text and not of what the parser takes: createPublicKey derives the public key of a private one.
    if (/PRIVATE KEY/i.test(trimmed)) return { found: 'private' };
    if (publicPem.test(trimmed)) return readingOf(attempt(() => createPublicKey(trimmed)));
    const compact = trimmed.replace(/\s/g, '');
    return base64.test(compact) ? readDer(Buffer.from(compact, 'base64')) : { found: 'nothing' };
  }
}

function readDer(der: Buffer): KeyReading {
  // Private first: createPublicKey takes a PKCS #1 private key too, and hands back the public key in it.
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const) {
    if (attempt(() => createPrivateKey({ key: der, format: 'der', type }))) return { found: 'private' };
  }
  for (const type of ['spki', 'pkcs1'] as const) {
    const key = attempt(() => createPublicKey({ key: der, format: 'der', type }));
    if (key) return readingOf(key);
  }
  return { found: 'nothing' };
}

function readingOf(key: KeyObject | undefined): KeyReading {
  if (!key) return { found: 'nothing' };
  const { modulusLength: bits, publicExponent: exponent, namedCurve } = key.asymmetricKeyDetails ?? {};
  const type = key.asymmetricKeyType ?? 'unknown';
  if (type === 'rsa' && bits !== undefined && exponent !== undefined) return { found: 'rsa', bits, exponent, spki: spkiOf(key) };
  if (type !== 'ec') return { found: 'other-public', type };
  // OpenSSL names a curve by its parameters too; crafted ones must not pass under a good name (threat T19).
  if (!namedCurve || !namesItsCurve(key)) return { found: 'other-public', type: 'a key with curve parameters of its own' };
  const spki = attempt(() => spkiOf(key));
  return spki === undefined ? { found: 'other-public', type: `a key on ${namedCurve}` } : { found: 'ec', curve: namedCurve, spki };
}

function namesItsCurve(key: KeyObject): boolean {
  const der = key.export({ format: 'der', type: 'spki' });
  return der[der.indexOf(ecPublicKeyOid) + ecPublicKeyOid.length] === objectIdentifier;
}

/** By way of a JWK, so that one key has one text: no compressed points, no odd parameters. */
function spkiOf(key: KeyObject): string {
  const canonical = createPublicKey({ key: key.export({ format: 'jwk' }), format: 'jwk' });
  return canonical.export({ format: 'pem', type: 'spki' }).toString();
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
