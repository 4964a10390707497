import type { IncomingMessage } from 'node:http';
import type { AddressBook } from '../../../domain/credentials/ports';
import { withoutBlanks } from '../../../domain/shared/without-ends';

/** Tells who calls, by address; `''`: it is unknown, and in no list. */
export type AddressOf = (request: Pick<IncomingMessage, 'socket' | 'rawHeaders'>) => string;

/** Proxies of the operator that a call may pass; more than that is no chain that anybody runs. */
const longestChain = 32;
/** Characters of one entry at most: an IPv6 address in brackets with its port has 53. */
const longestEntry = 64;

/** The other side of a connection, which does not change. */
interface Peer {
  readonly address: string | undefined;
  readonly isProxy: boolean;
}

/**
 * The socket's address; where that is a trusted proxy, the right-most one in X-Forwarded-For that is not: what stands left of it
 * was written by a stranger, and is not read. Nor is the header of a peer that is no trusted proxy. An entry that is no address
 * ends the search, as does a chain of more than 32 proxies, and names nobody. Source: contract/authentication#address-allowlist.
 */
export function callerAddress(trustedProxies: readonly string[], addresses: AddressBook): AddressOf {
  const known = new WeakMap<object, Peer>();
  const peerOf = (socket: IncomingMessage['socket']): Peer => {
    let peer = known.get(socket);
    if (!peer) {
      const address = addresses.plain(socket.remoteAddress ?? '');
      known.set(socket, (peer = { address, isProxy: address !== undefined && addresses.contains(trustedProxies, address) }));
    }
    return peer;
  };
  const addressOf = (entry: string): string | undefined => (entry.length > longestEntry ? undefined : addresses.plain(withoutPort(entry)));
  return ({ socket, rawHeaders }) => {
    const peer = peerOf(socket);
    let caller = peer.address;
    if (!peer.isProxy) return caller ?? '';
    let passed = 0;
    for (const entry of forwardedFor(rawHeaders)) {
      caller = addressOf(entry);
      if (caller === undefined || !addresses.contains(trustedProxies, caller)) return caller ?? '';
      if (++passed >= longestChain) return '';
    }
    return caller ?? '';
  };
}

/** The entries of all X-Forwarded-For headers, the last one first, read as they are needed; empty ones mean nothing (RFC 9110 §5.6.1). */
function* forwardedFor(rawHeaders: readonly string[]): Generator<string> {
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2) {
    if (rawHeaders[i]!.toLowerCase() !== 'x-forwarded-for') continue;
    const value = rawHeaders[i + 1]!;
    for (let end = value.length; end >= 0;) {
      const comma = end === 0 ? -1 : value.lastIndexOf(',', end - 1);
      const entry = withoutBlanks(value.slice(comma + 1, end));
      if (entry !== '') yield entry;
      end = comma;
    }
  }
}

/** Some proxies add the port: `1.2.3.4:567`, `[2001:db8::1]:567`; and some the brackets alone. */
const withoutPort = (entry: string): string => /^\[([^[\]]*)\](?::\d{1,5})?$/.exec(entry)?.[1] ?? entry.replace(/^([\d.]+):\d{1,5}$/, '$1');
