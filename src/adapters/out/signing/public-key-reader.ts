import type { ForeignForm, PublicKeyReader, KeyReading } from '../../../domain/credentials/ports';
import { derContent, derElements, derTag } from './der';
import { curveOfJwk, ecKey, readRsa, readSpki, rsaKey } from './public-key-parts';

/** The maximum length of a key text; an RSA key of 8192 bits takes 1,500 characters. */
const maxLength = 10_000;

/**
 * Texts that declare a private key: PEM and OpenSSH, PuTTY, and OpenSSH's PEM without its first line. The check uses the text and not a
 * parser, because some parsers derive the public key from a private one.
 */
const privateText = /PRIVATE KEY|^Private-Lines:|^b3BlbnNzaC1rZXktdjE/im;
/** DER of a private key: begins with a small integer (PKCS #8, PKCS #1, SEC 1, PKCS #12) or with password-based encryption (PKCS #8). */
const privateDer = /^30(?:[0-7].|81..|82....|83.{6})(?:02010[0-3]|30..06092a864886f70d0105|30..060a2a864886f70d010c)/;

const foreignForms: readonly (readonly [ForeignForm, RegExp])[] = [
  ['certificate-request', /^-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----/m],
  ['certificate', /^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/m],
  ['pgp-key', /^-----BEGIN PGP /m],
  ['ssh-key', /^(?:ssh-|ecdsa-sha2-|sk-)[a-z0-9@.-]+ AAAA|^---- BEGIN SSH2 PUBLIC KEY ----/m],
];

const publicBoundary = /-----(BEGIN|END) (?:RSA )?PUBLIC KEY-----/;
const escapedBreaks = /^"?-----BEGIN [A-Z0-9 ]+-----(?:\\r)?\\n/;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Reads pasted keys: first by their text labels, then by their bytes. */
export class NodePublicKeyReader implements PublicKeyReader {
  read(text: string): KeyReading {
    const trimmed = text.trim();
    if (trimmed.length > maxLength) return { found: 'nothing' };
    if (privateText.test(trimmed)) return { found: 'private' };
    if (escapedBreaks.test(trimmed)) return { found: 'escaped-line-breaks' };
    // Text around the boundaries is ignored (RFC 7468 §2): bag attributes, EC parameters, a certificate.
    const [, begin, pem = '', end, , another] = trimmed.split(publicBoundary);
    if (another !== undefined) return { found: 'several-keys' };
    if (begin === 'BEGIN' && end === 'END') return readBase64(pem);
    const foreign = foreignForms.find(([, form]) => form.test(trimmed));
    if (foreign) return { found: foreign[0] };
    return trimmed.startsWith('{') ? readJwk(trimmed) : readBase64(trimmed);
  }
}

function readBase64(text: string): KeyReading {
  const compact = text.replace(/\s/g, '');
  if (!base64.test(compact)) return { found: 'nothing' };
  const bytes = Buffer.from(compact, 'base64');
  if (!bytes.toString('latin1', 0, 11).startsWith('-----BEGIN ')) return readDer(bytes);
  return { found: privateText.test(bytes.toString('latin1')) ? 'private' : 'base64-of-pem' };
}

function readDer(bytes: Buffer): KeyReading {
  if (privateDer.test(bytes.toString('hex', 0, 32))) return { found: 'private' };
  const content = derContent(bytes, derTag.sequence);
  const [first, second, third] = (content && derElements(content)) ?? [];
  if (first?.tag === derTag.integer) return readRsa(bytes);
  const inner = first?.tag === derTag.sequence ? derElements(first.content) : undefined;
  if (!inner || !second) return { found: 'nothing' };
  if (third === undefined && second.tag === derTag.bitString) return readSpki(inner, second.content);
  if (third?.tag !== derTag.bitString) return { found: 'nothing' };
  // Certificates and requests are both signed. The signed part has at most four elements in a request, and six or more in a certificate.
  return { found: inner.length > 4 ? 'certificate' : 'certificate-request' };
}

/** Reads a JSON Web Key (RFC 7517), RSA or EC. */
function readJwk(text: string): KeyReading {
  const jwk = objectIn(text);
  if (!jwk) return { found: 'nothing' };
  if (Array.isArray(jwk['keys'])) return { found: 'jwk-set' };
  if ('d' in jwk || 'k' in jwk) return { found: 'private' };
  const { kty, crv } = jwk;
  const bytes = (name: string): Buffer | undefined => bytesIn(jwk[name]);
  const [n, e, x, y] = [bytes('n'), bytes('e'), bytes('x'), bytes('y')];
  if (kty === 'RSA' && n && e) return rsaKey(numberOf(n), numberOf(e));
  const curve = kty === 'EC' ? curveOfJwk(crv) : undefined;
  if (curve !== undefined && x && y) return ecKey(curve, Buffer.concat([Buffer.from([4]), x, y]));
  return typeof crv === 'string' && /^[A-Za-z0-9-]{1,32}$/.test(crv)
    ? { found: 'other-public', type: `a key on ${crv}` }
    : { found: 'nothing' };
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    // The text begins with a brace, so valid JSON is an object.
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

const bytesIn = (value: unknown): Buffer | undefined =>
  typeof value === 'string' && /^[A-Za-z0-9_-]+$/.test(value) ? Buffer.from(value, 'base64url') : undefined;

const numberOf = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);
