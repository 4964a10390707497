import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isBasic } from '../basic';
import type { KnownPair } from './pairs';
import { Refusal } from './refusal';

/** A signature is good for so long, in seconds before and after. */
const windowS = 300;
const noBody = Buffer.alloc(0);

/** Throws ACCESS_DENIED. */
export function requireBasic(expected: Buffer, { headers }: Pick<FastifyRequest, 'headers'>): void {
  if (!isBasic(expected, headers.authorization)) throw new Refusal('ACCESS_DENIED', 401);
}

type SignedRequest = Pick<FastifyRequest, 'headers' | 'rawBody' | 'url'>;

/** Throws MISSING_HEADER, SIGNATURE_VALIDATION_ERROR or INVALID_SIGNATURE. */
export function requireSignature(pair: KnownPair, { headers, rawBody = noBody, url }: SignedRequest, publicBase: string): void {
  const { 'x-signature': given, 'x-timestamp': timestamp, 'x-client-id': signer } = headers;
  if (typeof given !== 'string' || typeof timestamp !== 'string' || typeof signer !== 'string') throw new Refusal('MISSING_HEADER', 401);
  const at = Number(timestamp);
  if (!Number.isInteger(at)) throw new Refusal('SIGNATURE_VALIDATION_ERROR', 401);
  const isNow = Math.abs(Date.now() / 1000 - at) <= windowS;
  const expected = signatureOf(pair, `${publicBase}${url}`, { timestamp, body: rawBody });
  const bytes = Buffer.from(given, 'base64');
  const isRight = bytes.length === expected.length && timingSafeEqual(bytes, expected);
  if (!isNow || !isRight || signer !== pair.miniSigns?.apiClientId) throw new Refusal('INVALID_SIGNATURE', 401);
}

/** What proves the platform to a miniapp: a signature where it signs itself, Basic otherwise. `url`: the whole one. */
export function proofToMini(pair: KnownPair, url: string, body: string): Readonly<Record<string, string>> {
  if (!pair.miniSigns) return { authorization: pair.miniBasic };
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = signatureOf(pair, url, { timestamp, body }).toString('base64');
  return { 'x-signature': signature, 'x-timestamp': timestamp, 'x-client-id': pair.miniSigns.apiClientId };
}

function signatureOf(
  { miniSigns, signingKey }: KnownPair,
  url: string,
  { timestamp, body }: { readonly timestamp: string; readonly body: string | Buffer },
): Buffer {
  if (!miniSigns || !signingKey) throw new Refusal('ACCESS_DENIED', 403);
  return createHmac('sha256', signingKey).update(`POST.${url}.${miniSigns.apiClientId}.${timestamp}.`).update(body).digest();
}
