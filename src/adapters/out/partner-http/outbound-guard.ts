import { isIP, type LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { IpAddressMatcher } from '../../../domain/credentials/ports';
import { ownText } from '../../../domain/shared/own-text';
import { NameResolver, type Resolve } from './names/name-resolver';
import { isGloballyReachable } from './reachable';

/** The allowed destinations of calls to partners. */
export interface OutboundRules {
  /** Allows plain http. */
  readonly allowHttp: boolean;
  /** Networks (CIDR) that are allowed although they are not public. Their members may have any port and be given by address. */
  readonly networks: readonly string[];
}

/** The address may not be called. The message contains no address, because it may reach other parties. */
export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';

  constructor() {
    super('The address may not be called');
  }
}

const longestUrl = 500;
/** The maximum number of cached results, so that frequently called URLs are checked once. */
const maxCheckedUrls = 5000;
const valid = '';
const portsOf: Readonly<Record<string, readonly string[]>> = { 'https:': ['443', '8443'], 'http:': ['80', '8080'] };
/** How long storing a URL waits for the addresses of its name, in milliseconds. */
const resolveMs = 2_000;
/** Names that never exist in the public DNS (RFC 6761 and the special-use registry; `internal`: ICANN, 2024). */
const privateNames = /(^|\.)(localhost|local|internal|home\.arpa|onion|alt)$/;

/** Refuses calls to partners in networks that are not public. Source: contract/resources#urls-of-partners; ADR 012. */
export class OutboundGuard {
  private readonly addresses: IpAddressMatcher;
  private readonly rules: OutboundRules;
  private readonly resolve: Resolve;
  /** The problem of each URL; the empty text means that there is none. */
  private readonly checked = new LRUCache<string, string>({ max: maxCheckedUrls });

  /** `resolve`: looks names up; by default a resolver of its own. */
  constructor(deps: { addresses: IpAddressMatcher; rules: OutboundRules; resolve?: Resolve }) {
    this.addresses = deps.addresses;
    this.rules = deps.rules;
    this.resolve = deps.resolve ?? new NameResolver().resolve;
  }

  /**
   * Why a URL cannot be a partner's, or `undefined`. When networks are listed, a local name or an unusual port passes here: the addresses
   * are checked when the URL is stored and when it is called.
   */
  urlProblem(text: string): string | undefined {
    if (text.length > longestUrl) return `at most ${longestUrl} characters`;
    let problem = this.checked.get(text);
    if (problem === undefined) this.checked.set(ownText(text), (problem = this.check(text) ?? valid));
    return problem === valid ? undefined : problem;
  }

  private check(text: string): string | undefined {
    const [, authority, rest] = /^[a-z]+:\/\/([^/?#]+)((?:[/?#].*)?)$/i.exec(text) ?? [];
    // The URL parser drops or rewrites unprintable characters and treats backslashes as slashes.
    if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(text) || !URL.canParse(text)) return 'must be an absolute URL';
    const url = new URL(text);
    const ports = portsOf[url.protocol];
    if (!ports || (url.protocol === 'http:' && !this.rules.allowHttp)) {
      return this.rules.allowHttp ? 'must be an http or https URL' : 'must be an https URL';
    }
    if (authority === undefined || rest === undefined) return 'must be an absolute URL';
    if (authority.includes('@')) return 'must not hold a user name or password';
    if (text.includes('#')) return 'must not hold a fragment';
    return this.hostProblem(url) ?? (isPlain(url, authority, rest) ? undefined : notPlain) ?? this.portProblem(url, ports);
  }

  /**
   * Why the current addresses of a URL's name may not be called, or `undefined`. Also `undefined` when they cannot be resolved within two
   * seconds, because they are checked again when the URL is called. Only for URLs that pass `urlProblem`.
   */
  addressProblem(text: string): Promise<string | undefined> {
    const url = new URL(text);
    if (isIP(hostOf(url)) !== 0) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, resolveMs, undefined);
      this.lookupFor(portOf(url), url.protocol)(url.hostname, { all: true }, (error) => {
        clearTimeout(timer);
        resolve(error instanceof AddressRefused ? 'leads to an address that may not be called' : undefined);
      });
    });
  }

  /** Whether a connection to this address and port is allowed. `protocol` is written as in a URL, with its colon. */
  allows(address: string, port: string, protocol: string): boolean {
    if (this.isListed(address)) return true;
    return isGloballyReachable(address) && (portsOf[protocol]?.includes(port) ?? false);
  }

  /**
   * A DNS lookup for connections to `port`. It fails unless every address of the name is allowed; the connection uses the checked
   * addresses.
   */
  lookupFor(port: string, protocol: string): LookupFunction {
    return (hostname, options, done) => {
      this.resolve(hostname, (error, found) => {
        if (error) {
          done(error, []);
          return;
        }
        const [first] = found;
        if (!first || !found.every(({ address }) => this.allows(address, port, protocol))) done(new AddressRefused(), []);
        else if (options.all) done(null, [...found]);
        else done(null, first.address, first.family);
      });
    };
  }

  private hostProblem(url: URL): string | undefined {
    const host = hostOf(url);
    if (isIP(host) !== 0) return this.isListed(host) ? undefined : 'must name its host, not an address';
    if (host.endsWith('.')) return 'must not end its host with a dot';
    if (!/^([a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/.test(host) || host.length > 253) return 'must name a host';
    if (this.rules.networks.length > 0) return undefined;
    return !host.includes('.') || privateNames.test(host) ? 'must name a host of the public net' : undefined;
  }

  private portProblem(url: URL, ports: readonly string[]): string | undefined {
    if (url.port === '' || ports.includes(url.port) || this.rules.networks.length > 0) return undefined;
    return `must use port ${ports.join(' or ')}`;
  }

  private isListed(address: string): boolean {
    return this.addresses.contains(this.rules.networks, address);
  }
}

const notPlain = 'must be written as it is called: a plain host, no dot segments, special characters percent-encoded';

/** Whether a parser changes nothing in the URL but the case of the host, so that the stored, shown, signed and called URL are the same. */
function isPlain(url: URL, authority: string, rest: string): boolean {
  const host = authority.toLowerCase();
  if (host !== url.host && host !== `${url.hostname}:${portOf(url)}`) return false;
  return (rest.startsWith('/') ? rest : `/${rest}`) === url.pathname + url.search;
}

const portOf = ({ port, protocol }: URL): string => port || (portsOf[protocol]?.[0] ?? '');

/** The host without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
