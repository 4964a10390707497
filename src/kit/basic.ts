import { createHash, timingSafeEqual } from 'node:crypto';

/** User name and password of Basic. */
export interface BasicCredentials {
  /** Client ID, App ID or Host-app client ID. */
  readonly id: string;
  readonly secret: string;
}

/** The value of `Authorization` (RFC 7617). `scheme`: the word before it, where another than Basic is agreed on. */
export const basicHeader = ({ id, secret }: BasicCredentials, scheme = 'Basic'): string =>
  `${scheme} ${Buffer.from(`${id}:${secret}`, 'utf8').toString('base64')}`;

/** Whether `Authorization` has exactly these credentials, in a time that does not tell where they differ. */
export function provesBasic(authorization: string | undefined, credentials: BasicCredentials, scheme = 'Basic'): boolean {
  return isSame(authorization ?? '', basicHeader(credentials, scheme));
}

/** Equal, in a time that tells nothing about where two texts differ. */
export const isSame = (a: string, b: string): boolean => timingSafeEqual(digestOf(a), digestOf(b));

const digestOf = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
