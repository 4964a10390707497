import type { SignatureText } from '../../../domain/credentials/ports';

const forms = {
  base64: /^[A-Za-z0-9+/]+={0,2}$/,
  base64url: /^[A-Za-z0-9_-]+={0,2}$/,
  hex: /^(?:[0-9a-f]+|[0-9A-F]+)$/,
} as const;

/**
 * Base64 with its padding (RFC 4648 §4), base64url with or without (§5), hex in either case (§8). Node's readers take anything
 * and stop where they please: what they made is printed again and compared.
 */
export const nodeSignatureText: SignatureText = {
  encode: (signature, encoding) => Buffer.from(signature.buffer, signature.byteOffset, signature.byteLength).toString(encoding),
  decode: (text, encoding) => {
    if (!forms[encoding].test(text)) return undefined;
    const bytes = Buffer.from(text, encoding);
    if (encoding === 'hex') return bytes.toString('hex') === text.toLowerCase() ? bytes : undefined;
    if (bytes.toString(encoding) === text) return bytes;
    return encoding === 'base64url' && bytes.toString('base64') === text.replaceAll('-', '+').replaceAll('_', '/') ? bytes : undefined;
  },
};
