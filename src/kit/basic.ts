import { createHash, timingSafeEqual } from 'node:crypto';

/** User name and password of Basic. */
export interface BasicCredentials {
  /** Client ID, App ID or Host-app client ID. */
  readonly id: string;
  readonly secret: string;
}

/** The value of `Authorization` (RFC 7617). `scheme` replaces the word Basic where another one is agreed on. */
export const basicHeader = ({ id, secret }: BasicCredentials, scheme = 'Basic'): string =>
  `${scheme} ${Buffer.from(`${id}:${secret}`, 'utf8').toString('base64')}`;

/** Compares `Authorization` with these credentials in constant time. */
export function provesBasic(authorization: string | undefined, credentials: BasicCredentials, scheme = 'Basic'): boolean {
  return isSame(authorization ?? '', basicHeader(credentials, scheme));
}

/** Compares in constant time. */
export const isSame = (a: string, b: string): boolean => timingSafeEqual(digestOf(a), digestOf(b));

const digestOf = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
