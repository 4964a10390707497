/** Prefix of an HMAC secret whose rest is the key in base64 (Standard Webhooks). */
const encodedMark = 'whsec_';

/** The key bytes of an HMAC secret: its UTF-8, or the decoded base64 after `whsec_`; `undefined` when that is not base64. */
export function hmacKeyBytes(secret: string): Uint8Array | undefined {
  if (!secret.startsWith(encodedMark)) return new TextEncoder().encode(secret);
  return base64Bytes(secret.slice(encodedMark.length));
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes RFC 4648 §4, with complete padding or none. */
function base64Bytes(text: string): Uint8Array | undefined {
  const digits = text.replace(/={1,2}$/, '');
  const isWhole = /^[A-Za-z0-9+/]+$/.test(digits) && digits.length % 4 !== 1 && (digits.length === text.length || text.length % 4 === 0);
  if (!isWhole) return undefined;
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  for (let i = 0, bits = 0, held = 0, at = 0; i < digits.length; i++) {
    bits = ((bits << 6) | alphabet.indexOf(digits[i] ?? '')) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[at++] = (bits >> held) & 0xff;
  }
  return bytes;
}
