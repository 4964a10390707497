import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { AgreedSignature } from './agreed-signature';
import { Refusal } from './refusal';

/** What the service must prove itself with toward a sandbox partner. */
export interface PlatformCredentials {
  /** The user name of Basic. */
  readonly user: string;
  readonly secret: string;
  /** The partner's own id, as the service names it in its id header. */
  readonly ownId: string;
  /** Agreed on in place of Basic. */
  readonly signature?: AgreedSignature;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Equal, in a time that tells nothing about where two secrets differ. */
export const isSameSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** Whether the request carries exactly these Basic credentials. */
export function provesBasic(request: Request, { user, secret }: PlatformCredentials): boolean {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/.exec(request.get('authorization') ?? '') ?? [];
  if (encoded === undefined) return false;
  return isSameSecret(Buffer.from(encoded, 'base64').toString('utf8'), `${user}:${secret}`);
}

/** Refuses a call that does not name the integration, or that is meant for somebody else (contract/authentication#credentials). */
export function requireIdHeaders(request: Request, ownHeader: 'X-Hostapp-Client-ID' | 'X-Miniapp-App-ID', ownId: string): void {
  for (const name of ['X-Hostapp-Client-ID', 'X-Miniapp-App-ID']) {
    if (!request.get(name)) throw new Refusal(400, 'MISSING_HEADER', `Missing required header: ${name}`);
  }
  if (request.get(ownHeader) !== ownId) throw new Refusal(400, 'INVALID_INPUT', `${ownHeader} names another app`);
}

/** Refuses a body that is not JSON. */
export function requireJson(request: Request): void {
  if (/^application\/json\s*(;|$)/i.test(request.get('content-type') ?? '')) return;
  throw new Refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json');
}
