import type { InboundRequest } from '../check';
import type { RefusedRequest } from './ports';

/** How long a refused request is kept, in milliseconds. */
export const keptForMs = 86_400_000;
/** Bytes of a body that is kept; a longer one is not. */
export const keptBodyAtMost = 65_536;

const credentials = /^(?:authorization|proxy-authorization|cookie)$/i;

/** A request as it may be kept: what its headers hold of credentials is left out, but for the signature. */
export function withoutCredentials(request: InboundRequest, signatureHeader: string): InboundRequest {
  const isSignature = (name: string): boolean => name.toLowerCase() === signatureHeader.toLowerCase();
  const rawHeaders = request.rawHeaders.map((text, i) => {
    const name = i % 2 === 1 ? (request.rawHeaders[i - 1] ?? '') : '';
    return credentials.test(name) && !isSignature(name) ? schemeOf(text) : text;
  });
  return { ...request, rawHeaders, remoteAddress: '' };
}

/** Of `Basic …` the first word: which scheme was used explains something, and is no secret. */
const schemeOf = (text: string): string => /^(?:basic|bearer|digest|token)(?= )/i.exec(text)?.[0].concat(' ') ?? '';

/** How many a minute are kept of one partner. */
export const keptAMinute = 60;

/** Counts the stored requests of each partner, so that a stranger cannot fill the table in a partner's name. */
export class KeptQuota {
  private minute = 0;
  private readonly counts = new Map<string, number>();

  /** Counts one. False: it is one too many for this minute. `receivedAt` in milliseconds since the epoch. */
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
