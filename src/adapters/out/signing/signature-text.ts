import type { SignatureText } from '../../../domain/credentials/ports';
import type { SignatureEncoding } from '../../../domain/credentials/signing/signature-settings';

const urlSafe = /^[A-Za-z0-9_-]+={0,2}$/;
const oneCase = /^(?:[0-9a-f]+|[0-9A-F]+)$/;

/**
 * Base64 with padding, base64url with or without, and hex in either case (RFC 4648 §4, §5, §8). Node's decoders accept invalid text and
 * stop anywhere, so the result is encoded again and compared.
 */
export const nodeSignatureText: SignatureText = {
  encode: (signature, encoding) => Buffer.from(signature.buffer, signature.byteOffset, signature.byteLength).toString(encoding),
  decode: (text, encoding) => {
    const bytes = Buffer.from(text, encoding);
    return text !== '' && isPrintedAs(text, bytes, encoding) ? bytes : undefined;
  },
};

function isPrintedAs(text: string, bytes: Buffer, encoding: SignatureEncoding): boolean {
  if (encoding === 'base64') return bytes.toString('base64') === text;
  if (encoding === 'hex') return oneCase.test(text) && bytes.toString('hex') === text.toLowerCase();
  if (!urlSafe.test(text)) return false;
  return bytes.toString('base64url') === text || bytes.toString('base64') === text.replaceAll('-', '+').replaceAll('_', '/');
}
