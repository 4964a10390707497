import ipaddr from 'ipaddr.js';

/** A row of a registry of IANA: the range, its purpose, and its column "Globally Reachable". */
export interface SpecialPurposeRow {
  readonly network: string;
  readonly name: string;
  readonly reachable: boolean | 'N/A';
}

const rowsOf = (text: string): SpecialPurposeRow[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [network = '', reachable = '', ...name] = line.trim().split(/\s+/);
      return { network, name: name.join(' '), reachable: reachable === 'N/A' ? 'N/A' : reachable === 'True' };
    });

/** iana-ipv4-special-registry, as of 2025-10-09; a row whose allocation ended has no value in that column: N/A. */
export const ipv4SpecialPurpose = rowsOf(`
  0.0.0.0/8           False  This network (RFC 791)
  0.0.0.0/32          False  This host on this network (RFC 1122)
  10.0.0.0/8          False  Private-Use (RFC 1918)
  100.64.0.0/10       False  Shared Address Space (RFC 6598)
  127.0.0.0/8         False  Loopback (RFC 1122)
  169.254.0.0/16      False  Link Local (RFC 3927)
  172.16.0.0/12       False  Private-Use (RFC 1918)
  192.0.0.0/24        False  IETF Protocol Assignments (RFC 6890)
  192.0.0.0/29        False  IPv4 Service Continuity Prefix (RFC 7335)
  192.0.0.8/32        False  IPv4 dummy address (RFC 7600)
  192.0.0.9/32        True   Port Control Protocol Anycast (RFC 7723)
  192.0.0.10/32       True   Traversal Using Relays around NAT Anycast (RFC 8155)
  192.0.0.170/32      False  NAT64/DNS64 Discovery (RFC 8880)
  192.0.0.171/32      False  NAT64/DNS64 Discovery (RFC 8880)
  192.0.2.0/24        False  Documentation, TEST-NET-1 (RFC 5737)
  192.31.196.0/24     True   AS112-v4 (RFC 7535)
  192.52.193.0/24     True   AMT (RFC 7450)
  192.88.99.0/24      N/A    Deprecated, 6to4 Relay Anycast (RFC 7526)
  192.88.99.2/32      False  6a44-relay anycast address (RFC 6751)
  192.168.0.0/16      False  Private-Use (RFC 1918)
  192.175.48.0/24     True   Direct Delegation AS112 Service (RFC 7534)
  198.18.0.0/15       False  Benchmarking (RFC 2544)
  198.51.100.0/24     False  Documentation, TEST-NET-2 (RFC 5737)
  203.0.113.0/24      False  Documentation, TEST-NET-3 (RFC 5737)
  240.0.0.0/4         False  Reserved (RFC 1112)
  255.255.255.255/32  False  Limited Broadcast (RFC 919)
`);

/** iana-ipv6-special-registry, as of 2025-10-09, and 2001:5::/32, whose allocation ended in 2019. */
export const ipv6SpecialPurpose = rowsOf(`
  ::1/128             False  Loopback Address (RFC 4291)
  ::/128              False  Unspecified Address (RFC 4291)
  ::ffff:0:0/96       False  IPv4-mapped Address (RFC 4291)
  64:ff9b::/96        True   IPv4-IPv6 Translat. (RFC 6052)
  64:ff9b:1::/48      False  IPv4-IPv6 Translat. (RFC 8215)
  100::/64            False  Discard-Only Address Block (RFC 6666)
  100:0:0:1::/64      False  Dummy IPv6 Prefix (RFC 9780)
  2001::/23           False  IETF Protocol Assignments (RFC 2928)
  2001::/32           N/A    TEREDO (RFC 4380)
  2001:1::1/128       True   Port Control Protocol Anycast (RFC 7723)
  2001:1::2/128       True   Traversal Using Relays around NAT Anycast (RFC 8155)
  2001:1::3/128       True   DNS-SD Service Registration Protocol Anycast (RFC 9665)
  2001:2::/48         False  Benchmarking (RFC 5180)
  2001:3::/32         True   AMT (RFC 7450)
  2001:4:112::/48     True   AS112-v6 (RFC 7535)
  2001:5::/32         N/A    EID Space for LISP, ended (RFC 7954)
  2001:10::/28        N/A    Deprecated, previously ORCHID (RFC 4843)
  2001:20::/28        True   ORCHIDv2 (RFC 7343)
  2001:30::/28        True   Drone Remote ID Protocol Entity Tags (RFC 9374)
  2001:db8::/32       False  Documentation (RFC 3849)
  2002::/16           N/A    6to4 (RFC 3056)
  2620:4f:8000::/48   True   Direct Delegation AS112 Service (RFC 7534)
  3fff::/20           False  Documentation (RFC 9637)
  5f00::/16           False  Segment Routing SIDs (RFC 9602)
  fc00::/7            False  Unique-Local (RFC 4193)
  fe80::/10           False  Link-Local Unicast (RFC 4291)
`);

/** Not in those registries, and of no partner either: multicast, and forms that were given up. */
export const otherwiseSetAside = rowsOf(`
  224.0.0.0/4         False  Multicast (RFC 5771)
  ::/96               False  IPv4-compatible, deprecated (RFC 4291)
  ::ffff:0:0:0/96     False  IPv4-translated (RFC 2765)
  fec0::/10           False  Site-local, deprecated (RFC 3879)
  ff00::/8            False  Multicast (RFC 4291)
  200::/7             False  OSI NSAP-mapped, deprecated (RFC 4048)
  4000::/3            False  Reserved (RFC 4291)
`);

export const allRows = [...ipv4SpecialPurpose, ...ipv6SpecialPurpose, ...otherwiseSetAside];

type Bytes = readonly number[];

const textOf = (bytes: Bytes): string => ipaddr.fromByteArray([...bytes]).toString();
const numberOf = (bytes: Bytes): bigint => bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
const bytesOf = (value: bigint, length: number): Bytes =>
  Array.from({ length }, (_, i) => Number((value >> BigInt(8 * (length - 1 - i))) & 255n));

/** First, second, middle, last but one and last address of a network. */
export function samplesOf({ network }: Pick<SpecialPurposeRow, 'network'>): readonly string[] {
  const [address, prefix] = ipaddr.parseCIDR(network);
  const { length } = address.toByteArray();
  const size = 1n << BigInt(length * 8 - prefix);
  const first = numberOf(address.toByteArray());
  const wanted = [0n, 1n, size / 2n, size - 2n, size - 1n].filter((offset) => offset >= 0n && offset < size);
  return [...new Set(wanted.map((offset) => textOf(bytesOf(first + offset, length))))];
}

/** The addresses right before and behind a network. */
export function neighboursOf({ network }: Pick<SpecialPurposeRow, 'network'>): readonly string[] {
  const [address, prefix] = ipaddr.parseCIDR(network);
  const { length } = address.toByteArray();
  const bits = BigInt(length * 8);
  const first = numberOf(address.toByteArray());
  const beyond = first + (1n << (bits - BigInt(prefix)));
  return [first - 1n, beyond].filter((value) => value >= 0n && value < 1n << bits).map((value) => textOf(bytesOf(value, length)));
}

/**
 * Whether a partner may be at an address, by the rows alone: the narrowest that holds it decides; in none, it is ordinary.
 * Of an address that stands for an IPv4 one behind a translator that one decides.
 */
export function mayBeCalled(address: string): boolean {
  const parsed = ipaddr.parse(address);
  const holding = allRows
    .map((row) => ({ row, cidr: ipaddr.parseCIDR(row.network) }))
    .filter(({ cidr }) => cidr[0].kind() === parsed.kind() && parsed.match(cidr))
    .sort((a, b) => b.cidr[1] - a.cidr[1]);
  const narrowest = holding[0]?.row;
  if (narrowest?.network === '64:ff9b::/96') return mayBeCalled(textOf(parsed.toByteArray().slice(-4)));
  return narrowest === undefined || narrowest.reachable === true;
}
