import { promises as dns, type LookupAddress, type RecordWithTtl } from 'node:dns';
import { networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { candidatesOf, type SystemNames } from './system-names';

/** The addresses of a name and their lifetime in milliseconds. */
export interface Found {
  readonly addresses: readonly LookupAddress[];
  readonly ttlMs: number;
}

/** A name has no address, or no server answered in time. The message contains no name, because it may reach other parties. */
export class NameNotResolved extends Error {
  readonly code = 'NAME_NOT_RESOLVED';

  constructor(
    /** True when a server answered that there is none; false when no server answered. */
    readonly isFinal: boolean,
  ) {
    super('The name has no address');
  }
}

/** Queries servers for the addresses of a name. Throws NameNotResolved. */
export type NameQuery = (name: string, names: SystemNames) => Promise<Found>;

/** The timeout of the first try at a server (milliseconds), and the number of tries at each; later tries take longer. */
const limits = { timeout: 700, tries: 2 };
/** How long the query waits for the other address family after one has answered, in milliseconds. */
const graceMs = 100;

/** Results from the files are not cached, because the files may change. */
const untilReread = 0;

const localhost: Found = {
  addresses: [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ],
  ttlMs: untilReread,
};
const isLocalhost = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

/**
 * A NameQuery by c-ares, which uses no thread of the libuv pool that files and password hashes need. Order: the hosts file, `localhost`
 * (RFC 6761), then the servers, with search domains as in a C library. `servers`: `address[:port]`; absent: those of the system.
 */
export function caresQuery(servers?: readonly string[]): NameQuery {
  let resolver: dns.Resolver | undefined;
  let made: string | undefined;
  const resolverFor = (names: SystemNames): dns.Resolver => {
    if (resolver && (servers || made === names.servers)) return resolver;
    made = names.servers;
    resolver = new dns.Resolver(limits);
    if (servers) resolver.setServers(servers);
    return resolver;
  };
  return async (name, names) => {
    const listed = names.hosts.get(name);
    if (listed) return { addresses: listed, ttlMs: untilReread };
    if (isLocalhost(name)) return localhost;
    return search(resolverFor(names), candidatesOf(name, names));
  };
}

/**
 * Returns the first candidate with addresses. A server's failure does not end the search, because it may concern one domain only; a timeout
 * does.
 */
async function search(resolver: dns.Resolver, candidates: readonly string[]): Promise<Found> {
  let isFinal = true;
  for (const candidate of candidates) {
    const answer = await query(resolver, candidate);
    if (answer === 'silence') throw new NameNotResolved(false);
    if (typeof answer === 'object') return answer;
    if (answer === 'failure') isFinal = false;
  }
  throw new NameNotResolved(isFinal);
}

type Answer = Found | 'none' | 'failure' | 'silence';

async function query(resolver: dns.Resolver, name: string): Promise<Answer> {
  const v4 = family(resolver.resolve4(name, { ttl: true }), 4);
  const v6 = family(resolver.resolve6(name, { ttl: true }), 6);
  // A server that answers for only one address family causes a short delay.
  const hurried = Promise.race([v4, v6].map(async (one) => ((await one).isFound ? one : new Promise<never>(() => undefined))));
  const both = Promise.all([v4, v6]);
  const first = await Promise.race([both, hurried]);
  const answers = Array.isArray(first) ? first : ((await Promise.race([both, pause(graceMs, undefined, { ref: false })])) ?? [first]);
  const found = answers.filter(({ isFound }) => isFound);
  if (found.length > 0) return joined(found);
  const words = answers.map(({ word }) => word);
  return words.includes('silence') ? 'silence' : words.includes('failure') ? 'failure' : 'none';
}

interface OfFamily extends Found {
  readonly isFound: boolean;
  readonly word: 'none' | 'failure' | 'silence';
}

const nothing = { addresses: [], ttlMs: 0, isFound: false } as const;
const noRecordCodes: readonly unknown[] = [dns.NOTFOUND, dns.NODATA];
const silenceCodes: readonly unknown[] = [dns.TIMEOUT, dns.CONNREFUSED, dns.CANCELLED];

async function family(lookup: Promise<RecordWithTtl[]>, number: 4 | 6): Promise<OfFamily> {
  try {
    const records = await lookup;
    const ttlMs = Math.min(...records.map(({ ttl }) => ttl)) * 1000;
    return { addresses: records.map(({ address }) => ({ address, family: number })), ttlMs, isFound: records.length > 0, word: 'none' };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (noRecordCodes.includes(code)) return { ...nothing, word: 'none' };
    return { ...nothing, word: silenceCodes.includes(code) ? 'silence' : 'failure' };
  }
}

/** Puts the address family first that this machine uses to reach the internet; the other one is the fallback. */
function joined(found: readonly Found[]): Found {
  const preferred = hasGlobalIPv6() ? 6 : 4;
  const addresses = found.flatMap((one) => one.addresses);
  const isFirst = ({ family: of }: LookupAddress): boolean => of === preferred;
  return {
    addresses: [...addresses.filter(isFirst), ...addresses.filter((address) => !isFirst(address))],
    ttlMs: Math.min(...found.map(({ ttlMs }) => ttlMs)),
  };
}

const hasGlobalIPv6 = (): boolean =>
  Object.values(networkInterfaces()).some((list) =>
    list?.some((one) => one.family === 'IPv6' && !one.internal && /^[23]/.test(one.address)),
  );
