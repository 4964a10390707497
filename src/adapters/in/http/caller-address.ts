import type { IncomingMessage } from 'node:http';
import type { AddressBook } from '../../../domain/credentials/ports';

/** Tells who calls, by address; `''`: it cannot be told, and is in no list. */
export type AddressOf = (request: Pick<IncomingMessage, 'socket' | 'rawHeaders'>) => string;

/**
 * The socket's address; where that is a trusted proxy, the right-most one in X-Forwarded-For that is not: what stands left of it
 * was written by a stranger. An entry that is no address ends the search, and names nobody. Source: decisions §4, IP allowlist;
 * threats T9, T10.
 */
export function callerAddress(trustedProxies: readonly string[], addresses: AddressBook): AddressOf {
  /** A connection's address does not change. */
  const known = new WeakMap<object, string>();
  const peerOf = (socket: IncomingMessage['socket']): string | undefined => {
    let peer = known.get(socket);
    if (peer === undefined) known.set(socket, (peer = addresses.plain(socket.remoteAddress ?? '') ?? ''));
    return peer === '' ? undefined : peer;
  };
  return ({ socket, rawHeaders }) => {
    let caller = peerOf(socket);
    if (trustedProxies.length === 0) return caller ?? '';
    const forwarded = forwardedFor(rawHeaders);
    while (caller !== undefined && addresses.contains(trustedProxies, caller)) {
      const next = forwarded.pop();
      if (next === undefined) break;
      caller = addresses.plain(withoutPort(next));
    }
    return caller ?? '';
  };
}

/** The entries of all X-Forwarded-For headers in the order in which they were added; empty ones mean nothing (RFC 9110 §5.6.1). */
function forwardedFor(rawHeaders: readonly string[]): string[] {
  const values = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === 'x-forwarded-for');
  return values
    .join(',')
    .split(',')
    .map((entry) => entry.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((entry) => entry !== '');
}

/** Some proxies add the port: `1.2.3.4:567`, `[2001:db8::1]:567`; and some the brackets alone. */
const withoutPort = (entry: string): string => /^\[([^[\]]*)\](?::\d{1,5})?$/.exec(entry)?.[1] ?? entry.replace(/^([\d.]+):\d{1,5}$/, '$1');
