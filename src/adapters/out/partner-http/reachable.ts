import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

const networks = (...texts: string[]): readonly Network[] => texts.map((text) => ipaddr.parseCIDR(text));

/** The allocated range of IPv6 unicast addresses; the rest is reserved. */
const allocated = networks('2000::/3');
/** The translation prefix: its addresses are IPv4 addresses behind a NAT64 (RFC 6052 §2.1). */
const translated = networks('64:ff9b::/96');

/** The entries of the registries that are not marked globally reachable, within the allocated ranges, and multicast. */
const special = networks(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24'],
  ...['192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
);
/** Entries inside these that are marked globally reachable. */
const reachableAfterAll = networks(
  ...['192.0.0.9/32', '192.0.0.10/32', '2001:1::1/128', '2001:1::2/128', '2001:1::3/128', '2001:3::/32', '2001:4:112::/48'],
  ...['2001:20::/28', '2001:30::/28'],
);

/**
 * Whether an address is globally reachable according to IANA: no entry of the special-purpose registries (RFC 6890, RFC 8190) contains it,
 * except those marked globally reachable. Mapped, compatible, 6to4 and Teredo addresses are in excluded entries; for a translated one
 * (NAT64) the IPv4 address inside decides. State of the registries: October 2025.
 */
export function isGloballyReachable(address: string): boolean {
  // ipaddr.js reads `::1.2.3.4`, a deprecated form, as a mapped address, which it is not.
  if (isIP(address) === 0 || address.includes('%') || /^::\d+\./.test(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6) {
    if (isIn(translated, parsed)) return isOrdinary(new ipaddr.IPv4(parsed.toByteArray().slice(-4)));
    if (!isIn(allocated, parsed)) return false;
  }
  return isOrdinary(parsed);
}

const isOrdinary = (address: Address): boolean => !isIn(special, address) || isIn(reachableAfterAll, address);

const isIn = (list: readonly Network[], address: Address): boolean =>
  list.some(([network, length]) => network.kind() === address.kind() && address.match(network, length));
