import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { AgreedSignature } from './agreed-signature';
import { Refusal } from '../partners/refusal';

/** Credentials with which the service must authenticate to a sandbox partner. */
export interface PlatformCredentials {
  /** User name for Basic. */
  readonly user: string;
  readonly secret: string;
  /** The partner's own id, which the service sends in the id header. */
  readonly ownId: string;
  /** Replaces Basic when it is agreed on. */
  readonly signature?: AgreedSignature;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time. */
export const isSameSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** Whether the request carries exactly these Basic credentials. */
export function provesBasic(request: Request, { user, secret }: PlatformCredentials): boolean {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/.exec(request.get('authorization') ?? '') ?? [];
  if (encoded === undefined) return false;
  return isSameSecret(Buffer.from(encoded, 'base64').toString('utf8'), `${user}:${secret}`);
}

/** Refuses a call without the integration's ids, or with another partner's id (contract/authentication#credentials). */
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
