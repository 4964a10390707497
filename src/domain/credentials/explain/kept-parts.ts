import type { InboundRequest } from '../check';
import type { RefusedRequest } from './ports';

/** Time for which a refused request is kept, in milliseconds. */
export const keptForMs = 86_400_000;
/** Maximum size of a stored body, in bytes; a request with a longer one is not stored. */
export const maxKeptBody = 65_536;

const credentials = /^(?:authorization|proxy-authorization|cookie)$/i;

/** The request to store: without credentials in its headers, except the signature. */
export function withoutCredentials(request: InboundRequest, signatureHeader: string): InboundRequest {
  const isSignature = (name: string): boolean => name.toLowerCase() === signatureHeader.toLowerCase();
  const rawHeaders = request.rawHeaders.map((text, i) => {
    const name = i % 2 === 1 ? (request.rawHeaders[i - 1] ?? '') : '';
    return credentials.test(name) && !isSignature(name) ? schemeOf(text) : text;
  });
  return { ...request, rawHeaders, remoteAddress: '' };
}

/** Keeps the scheme of a header such as `Basic …`: it helps the explanation, and is no secret. */
const schemeOf = (text: string): string => /^(?:basic|bearer|digest|token)(?= )/i.exec(text)?.[0].concat(' ') ?? '';

/** Maximum number of requests stored per partner and minute. */
export const keptAMinute = 60;

/** Limits the stored requests per partner, so that a stranger cannot fill the table in a partner's name. */
export class KeptQuota {
  private minute = 0;
  private readonly counts = new Map<string, number>();

  /** Counts a request. False when it exceeds this minute's limit. `receivedAt` in milliseconds since the epoch. */
  allows({ partner: { kind, id }, receivedAt }: RefusedRequest): boolean {
    const minute = Math.floor(receivedAt / 60_000);
    if (minute !== this.minute) this.counts.clear();
    this.minute = minute;
    const name = `${kind}:${id}`;
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    return count <= keptAMinute;
  }
}
