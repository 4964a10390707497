import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressBook } from '../../../domain/credentials/ports';
import { isGloballyReachable } from './reachable';

/** Asks for every address of a name; with an error there are none to look at. */
export type Resolve = (hostname: string, done: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void;

const resolveBySystem: Resolve = (hostname, done) => systemLookup(hostname, { all: true }, done);

/** Where calls to partners may go. */
export interface OutboundRules {
  /** Plain http, too. */
  readonly allowHttp: boolean;
  /** Networks (CIDR) that need not be public; their members may have any port and be named by address. */
  readonly networks: readonly string[];
}

/** The address may not be called. Its text names nothing: it must not travel on. */
export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';

  constructor() {
    super('The address may not be called');
  }
}

const longestUrl = 500;
const portsOf: Readonly<Record<string, readonly string[]>> = { 'https:': ['443', '8443'], 'http:': ['80', '8080'] };

/** Keeps calls to partners out of every network that is not public. Source: decisions §3, URLs; reliability T25, T26. */
export class OutboundGuard {
  private readonly addresses: AddressBook;
  private readonly rules: OutboundRules;
  private readonly resolve: Resolve;

  constructor(deps: { addresses: AddressBook; rules: OutboundRules; resolve?: Resolve }) {
    this.addresses = deps.addresses;
    this.rules = deps.rules;
    this.resolve = deps.resolve ?? resolveBySystem;
  }

  /**
   * Why a URL cannot be a partner's, or `undefined`. A name with an unusual port passes here where networks are listed: its
   * addresses decide when it is called.
   */
  urlProblem(text: string): string | undefined {
    if (text.length > longestUrl) return `at most ${longestUrl} characters`;
    // The parser would drop or rewrite what is not printable, and backslashes: what is stored is what is called.
    if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(text) || !URL.canParse(text)) return 'must be an absolute URL';
    const url = new URL(text);
    const ports = portsOf[url.protocol];
    if (!ports || (url.protocol === 'http:' && !this.rules.allowHttp)) {
      return this.rules.allowHttp ? 'must be an http or https URL' : 'must be an https URL';
    }
    if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
    if (text.includes('#')) return 'must not hold a fragment';
    const host = hostOf(url);
    if (isIP(host) !== 0) return this.isListed(host) ? undefined : 'must name its host, not an address';
    if (url.port === '' || ports.includes(url.port) || this.rules.networks.length > 0) return undefined;
    return `must use port ${ports.join(' or ')}`;
  }

  /** Whether a connection to this address and port may be made; `protocol` as in a URL, with its colon. */
  allows(address: string, port: string, protocol: string): boolean {
    if (this.isListed(address)) return true;
    return isGloballyReachable(address) && (portsOf[protocol]?.includes(port) ?? false);
  }

  /** The lookup of a connection to `port`: fails unless every address of the name may be called; the checked ones are used. */
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

  private isListed(address: string): boolean {
    return this.addresses.contains(this.rules.networks, address);
  }
}

/** The host without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
