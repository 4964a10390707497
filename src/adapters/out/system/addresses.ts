import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { IpAddressMatcher } from '../../../domain/credentials/ports';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** IpAddressMatcher with ipaddr.js. IPv6 addresses that only wrap an IPv4 address (RFC 4291 §2.5.5.2) count as that IPv4 address. */
export class NodeIpAddressMatcher implements IpAddressMatcher {
  /** A cache by list: lists belong to frozen records and stay the same object while unchanged. */
  private readonly compiled = new WeakMap<readonly string[], readonly Network[]>();

  contains(list: readonly string[], address: string): boolean {
    const wanted = readAddress(address);
    return wanted !== undefined && this.networksOf(list).some((network) => holds(network, wanted));
  }

  plain(address: string): string | undefined {
    return readAddress(address)?.toString();
  }

  problem(entry: string): string | undefined {
    if (entry.includes('%')) return 'must not have a zone';
    const network = readNetwork(entry);
    if (!network) return 'must be an address or a network';
    return hasHostBits(network) ? 'must not set bits behind the prefix' : undefined;
  }

  private networksOf(list: readonly string[]): readonly Network[] {
    const known = this.compiled.get(list);
    if (known) return known;
    const networks = list.map(readNetwork).filter((network) => network !== undefined);
    this.compiled.set(list, networks);
    return networks;
  }
}

const mappedPrefix = 96;

/** Stricter than ipaddr.js: no leading zeros, octal, hexadecimal or short forms, no zone; `::1.2.3.4` is not `1.2.3.4`. */
function parse(text: string): Address | undefined {
  return isIP(text) === 0 || text.includes('%') || /^::\d+\./.test(text) ? undefined : ipaddr.parse(text);
}

const unwrap = (address: Address): Address =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;

function readAddress(text: string): Address | undefined {
  const address = parse(text);
  return address && unwrap(address);
}

function readNetwork(entry: string): Network | undefined {
  const [text = '', prefix, ...more] = entry.split('/');
  const address = parse(text);
  if (!address || more.length > 0) return undefined;
  const bits = address.toByteArray().length * 8;
  if (prefix !== undefined && (!/^(0|[1-9][0-9]{0,2})$/.test(prefix) || Number(prefix) > bits)) return undefined;
  const length = prefix === undefined ? bits : Number(prefix);
  const plain = unwrap(address);
  if (plain === address) return [address, length];
  return length < mappedPrefix ? undefined : [plain, length - mappedPrefix];
}

const holds = ([network, length]: Network, address: Address): boolean =>
  network.kind() === address.kind() && address.match(network, length);

function hasHostBits([address, length]: Network): boolean {
  return address.toByteArray().some((byte, index) => {
    const kept = Math.min(8, Math.max(0, length - index * 8));
    return (byte & (0xff >> kept)) !== 0;
  });
}
