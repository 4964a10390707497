import type { InboundRequest } from '../check';
import type { SignatureHeaderNames } from '../signing/signature-settings';

/** One header as it was sent. */
export interface SentHeader {
  readonly name: string;
  readonly value: string;
}

/** The headers of a request, in order. */
export function headersOf({ rawHeaders }: Pick<InboundRequest, 'rawHeaders'>): readonly SentHeader[] {
  const headers: SentHeader[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.push({ name: rawHeaders[i]!, value: rawHeaders[i + 1]! });
  return headers;
}

export const valuesOf = (headers: readonly SentHeader[], name: string): readonly string[] =>
  headers.filter((header) => header.name.toLowerCase() === name.toLowerCase()).map(({ value }) => value);

export type HeaderRole = keyof SignatureHeaderNames;

/** Usual names of each header, in lower case, without a leading `x` and punctuation. */
const spellings: Readonly<Record<HeaderRole, RegExp>> = {
  signature: /sig|hmac|^sign|^auth|token$/,
  timestamp: /time|^ts$|date|stamp/,
  clientId: /client|^app|apikey|accesskey|keyid|partner|consumer/,
  nonce: /nonce|requestid|random|salt|webhookid/,
  identity: /ident|user|principal|account|issuer/,
  merchantId: /merchant|store|shop|seller/,
};

const shapes: Readonly<Record<HeaderRole, RegExp>> = {
  signature: /^\S.{18,}$/s,
  timestamp: /^\s*\d{9,20}(?:\.\d+)?\s*$|^\d{4}-\d\d-\d\d/,
  clientId: /^.{1,128}$/,
  nonce: /^[\x21-\x7e]{4,128}$/,
  identity: /^.{1,250}$/,
  merchantId: /^.{1,250}$/,
};

/** Common headers that are never the missing one. */
const ordinary =
  /^(?:accept.*|cache-control|connection|content-.*|cookie|expect|forwarded|host|idempotency-key|keep-alive|origin|pragma|proxy-.*|referer|te|trace.*|transfer-encoding|upgrade.*|user-agent|via|x-forwarded-.*|x-real-ip|x-request-id|x-hostapp-client-id|x-miniapp-app-id|sec-.*|dnt|priority)$/i;

const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/^x(?=[a-z]{2})/, '');

/** A missing header that is searched under another name. */
export interface LostHeader {
  readonly role: HeaderRole;
  /** The required value, if one is stored. */
  readonly stored?: string | undefined;
  readonly names: SignatureHeaderNames;
}

/** Headers under other names that may be the missing one, the likeliest first. */
export function misnamed(headers: readonly SentHeader[], { role, stored, names }: LostHeader): readonly SentHeader[] {
  const agreed = new Set(Object.values(names).map((name: string) => name.toLowerCase()));
  const free = headers.filter(({ name, value }) => !agreed.has(name.toLowerCase()) && !ordinary.test(name) && shapes[role].test(value));
  const isSpelt = ({ name }: SentHeader): boolean => spellings[role].test(plainName(name));
  const isOthers = ({ name }: SentHeader): boolean =>
    (Object.keys(spellings) as HeaderRole[]).some((other) => other !== role && spellings[other].test(plainName(name)));
  const same = free.filter(({ value }) => value === stored);
  const spelt = free.filter((header) => isSpelt(header) && !same.includes(header));
  const byShape = role === 'timestamp' || role === 'signature' ? free.filter((header) => !isSpelt(header) && !isOthers(header)) : [];
  return [...same, ...spelt, ...byShape];
}
