import { timingSafeEqual } from 'node:crypto';

/** Whether a header is the expected one; compared in constant time. */
export function isBasic(expected: Buffer, given: string | undefined): boolean {
  const bytes = Buffer.from(given ?? '');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** User and password of a Basic header. */
export function userAndPassword(header: string): { user: string; password: string } {
  const text = Buffer.from(header.slice('Basic '.length), 'base64').toString();
  const colon = text.indexOf(':');
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
