import type { IncomingMessage } from 'node:http';
import type { IpAddressMatcher } from '../../../../domain/credentials/ports';
import { withoutBlanks } from '../../../../domain/shared/without-ends';

/** Finds the caller's address. `''` means unknown, and is in no allowlist. */
export type AddressOf = (request: Pick<IncomingMessage, 'socket' | 'rawHeaders'>) => string;

/** Maximum number of trusted proxies in X-Forwarded-For; no real deployment has more. */
const longestChain = 32;
/** Maximum characters of one entry: an IPv6 address in brackets with its port has 53. */
const longestEntry = 64;

/** The remote end of a connection, cached because it does not change. */
interface Peer {
  readonly address: string | undefined;
  readonly isProxy: boolean;
}

/**
 * The socket's address or, when that is a trusted proxy, the right-most untrusted address in X-Forwarded-For. Entries left of it can be
 * forged and are not read, nor is the header of an untrusted peer. An entry that is not an address ends the search with an unknown address,
 * as does a chain of more than 32 proxies. Source: contract/authentication#address-allowlist.
 */
export function callerAddress(trustedProxies: readonly string[], addresses: IpAddressMatcher): AddressOf {
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

/** The entries of all X-Forwarded-For headers, last first, read lazily; empty ones are skipped (RFC 9110 §5.6.1). */
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

/** Some proxies add the port: `1.2.3.4:567`, `[2001:db8::1]:567`; some add only the brackets. */
const withoutPort = (entry: string): string => /^\[([^[\]]*)\](?::\d{1,5})?$/.exec(entry)?.[1] ?? entry.replace(/^([\d.]+):\d{1,5}$/, '$1');
