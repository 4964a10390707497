import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
/** The translation prefix whose addresses stand for an IPv4 address (RFC 6052 §2.1). */
const translated: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];

/**
 * Whether an address is ordinary global unicast: in no row of the special-purpose registries of IANA (RFC 6890). An IPv6
 * address that stands for an IPv4 one (mapped, NAT64) is judged by that; the tunnels 6to4 and Teredo are refused whole, as
 * the registries do not call them reachable. Refused too are the few reachable rows where no back end lives (AS112, AMT).
 */
export function isGloballyReachable(address: string): boolean {
  // ipaddr.js takes `::1.2.3.4`, a form long given up, for the mapped address that it is not.
  if (isIP(address) === 0 || address.includes('%') || /^::\d+\./.test(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast';
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().range() === 'unicast';
  if (parsed.match(...translated)) return new ipaddr.IPv4(parsed.toByteArray().slice(-4)).range() === 'unicast';
  return parsed.match(...globalUnicast) && parsed.range() === 'unicast';
}
