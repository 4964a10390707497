import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { withoutTrailing } from '../domain/shared/without-ends';
import { problemOfPostgresUrl } from './postgres-url';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Calls per minute, by the name of the limit (contract/conventions#rate-limits). */
export type RateLimits = Readonly<Record<string, number>>;

/** A key of the key ring. */
export interface RingKey {
  readonly id: string;
  readonly key: Buffer;
}

/** The environment to read, and the list that collects its problems. */
export interface Source {
  readonly env: Environment;
  readonly problems: string[];
}

/** Adds a problem for every name that is not set. */
export function required({ env, problems }: Source, names: readonly string[]): void {
  for (const name of names) if (!env[name]) problems.push(`${name} is required in production`);
}

/** The value, or `undefined` when it is unset or empty. */
export const text = ({ env }: Source, name: string): string | undefined => env[name] || undefined;

export function wholeNumber(from: Source, name: string, { fallback, min, max }: { fallback: number; min: number; max: number }): number {
  const value = text(from, name);
  if (value === undefined) return fallback;
  const number = /^\d{1,12}$/.test(value) ? Number(value) : NaN;
  if (number >= min && number <= max) return number;
  from.problems.push(`${name} must be a whole number from ${String(min)} to ${String(max)}`);
  return fallback;
}

/** A number from 0 to 1, such as `0.05`. */
export function ratio(from: Source, name: string, fallback: number): number {
  const value = text(from, name);
  if (value === undefined) return fallback;
  if (/^(?:0?\.\d{1,12}|[01](?:\.0{1,12})?)$/.test(value)) return Number(value);
  from.problems.push(`${name} must be a number from 0 to 1`);
  return fallback;
}

/** Like `ratio`, but above 0. */
export function share(from: Source, name: string, fallback: number): number {
  const found = ratio(from, name, fallback);
  if (found > 0) return found;
  from.problems.push(`${name} must be above 0, and 1 at most`);
  return fallback;
}

export function choice<const Choice extends string>(from: Source, name: string, choices: readonly Choice[], fallback: Choice): Choice {
  const value = text(from, name);
  if (value === undefined) return fallback;
  const found = choices.find((one) => one === value);
  if (found === undefined) from.problems.push(`${name} must be one of ${choices.join(', ')}`);
  return found ?? fallback;
}

export const onOff = (from: Source, name: string, fallback: boolean): boolean =>
  choice(from, name, ['on', 'off'], fallback ? 'on' : 'off') === 'on';

export function postgresUrl(from: Source, name: string): string | undefined {
  const value = text(from, name);
  const problem = value === undefined ? undefined : problemOfPostgresUrl(value);
  if (problem !== undefined) from.problems.push(`${name} ${problem}`);
  return value;
}

/** An http or https base address, without a trailing slash, query or fragment. */
export function origin(from: Source, name: string): string | undefined {
  const value = text(from, name);
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash) return withoutTrailing(value, '/');
  from.problems.push(`${name} must be an http or https address without query, such as https://platform.example`);
  return undefined;
}

/** Addresses and networks, comma separated. An empty value means none. */
export function addressList({ env, problems }: Source, name: string, fallback: readonly string[]): readonly string[] {
  const value = env[name];
  if (value === undefined) return fallback;
  const entries = value.split(',').flatMap((entry) => entry.trim() || []);
  for (const entry of entries)
    if (!isNetwork(entry))
      problems.push(`${name}: ${JSON.stringify(entry)} is not an address or a network (CIDR, no bits behind the prefix)`);
  return entries;
}

/** Addresses of name servers with an optional port, comma separated: `10.0.0.2`, `10.0.0.2:5353`, `[fd00::2]:53`. */
export function nameServers(from: Source, name: string): readonly string[] | undefined {
  const entries = text(from, name)
    ?.split(',')
    .flatMap((entry) => entry.trim() || []);
  for (const entry of entries ?? []) {
    const [, bracketed, plain, port = '53'] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::(\d{1,5}))?$/i.exec(entry) ?? [];
    const isServer = (isIP(entry) !== 0 && !entry.includes('%')) || isIP(bracketed ?? '') === 6 || isIP(plain ?? '') === 4;
    if (!isServer || Number(port) < 1 || Number(port) > 65_535) {
      from.problems.push(`${name}: ${JSON.stringify(entry)} is not an address, with or without a port`);
    }
  }
  return entries;
}

/**
 * As strict as the entries of an allowlist (contract/authentication#address-allowlist): no short, octal or hexadecimal form, no zone, no
 * bits after the prefix.
 */
function isNetwork(entry: string): boolean {
  const [address = '', prefix] = entry.split('/');
  // ipaddr.js treats `::1.2.3.4`, a deprecated form, as a mapped address, which it is not.
  if (isIP(address) === 0 || address.includes('%') || /^::\d+\./.test(address)) return false;
  if (prefix === undefined) return true;
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || !ipaddr.isValidCIDR(entry)) return false;
  const { IPv4, IPv6 } = ipaddr;
  const first = isIP(address) === 4 ? IPv4.networkAddressFromCIDR(entry) : IPv6.networkAddressFromCIDR(entry);
  return first.toString() === ipaddr.parse(address).toString();
}

/** `id:base64(32 bytes)`, comma separated; the first key encrypts. */
export function keyRing(from: Source, name: string): readonly RingKey[] | undefined {
  const value = text(from, name);
  if (value === undefined) return undefined;
  const keys = value.split(',').map((entry) => {
    const [, id = '', base64 = ''] = /^\s*([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]{43}=?)\s*$/.exec(entry) ?? [];
    return { id, key: Buffer.from(base64, 'base64') };
  });
  if (keys.some(({ id, key }) => !id || key.length !== 32)) from.problems.push(`${name} must be id:base64(32 bytes), comma separated`);
  else if (new Set(keys.map(({ id }) => id)).size < keys.length) from.problems.push(`${name} names a key id twice`);
  return keys;
}

/** A JSON object of positive whole numbers, at most `max`, that overrides the defaults by name. */
export function limits<Defaults extends Readonly<Record<string, number>>>(
  from: Source,
  name: string,
  defaults: Defaults,
  max = Number.MAX_SAFE_INTEGER,
): Defaults {
  const value = text(from, name);
  if (value === undefined) return defaults;
  const given = parseObject(value);
  const bounds = max === Number.MAX_SAFE_INTEGER ? 'from 1' : `from 1 to ${String(max)}`;
  const wrong = `${name} must be a JSON object of whole numbers ${bounds}, by the names ${Object.keys(defaults).join(', ')}`;
  if (!given) from.problems.push(wrong);
  const entries = Object.entries(given ?? {});
  if (
    entries.some(
      ([key, limit]) => !Object.hasOwn(defaults, key) || !Number.isSafeInteger(limit) || Number(limit) < 1 || Number(limit) > max,
    )
  ) {
    from.problems.push(wrong);
  }
  return { ...defaults, ...(given as Partial<Defaults>) };
}

function parseObject(value: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
