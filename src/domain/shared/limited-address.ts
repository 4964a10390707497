/**
 * The address that a rate limit counts: an IPv4 address itself, for an IPv6 address its /64, because one subscriber has all addresses of
 * it. `address` must be in the canonical form of IpAddressMatcher. Source: contract/conventions#rate-limits.
 */
export function limitedAddress(address: string): string {
  if (!address.includes(':')) return address;
  const [left = '', right] = address.split('::');
  const before = left === '' ? [] : left.split(':');
  const after = right === undefined || right === '' ? [] : right.split(':');
  const zeros = right === undefined ? 0 : Math.max(0, groups - before.length - after.length);
  return `${[...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, groups / 2).join(':')}::/64`;
}

const groups = 8;
