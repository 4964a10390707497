import { withoutTrailing } from '../../../../domain/shared/without-ends';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a Basic credential (RFC 7617, UTF-8). Returns `undefined` where it is not strict base64 of UTF-8. */
export function decodeBasic(value: string): string | undefined {
  const bytes = Buffer.from(value, 'base64');
  // Node decodes invalid base64 too. Only valid input encodes back to itself.
  if (withoutTrailing(bytes.toString('base64'), '=') !== withoutTrailing(value, '=')) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
