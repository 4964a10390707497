import { readFile } from 'node:fs/promises';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';

/** The name resolution settings of this machine. */
export interface SystemNames {
  /** The entries of the hosts file, by name in lower case. */
  readonly hosts: ReadonlyMap<string, readonly LookupAddress[]>;
  /** The search domains for short names, in order. */
  readonly search: readonly string[];
  /** Names with fewer dots are tried in the search domains first. */
  readonly ndots: number;
  /** The `nameserver` lines; a change requires a new resolver. */
  readonly servers: string;
}

/** The paths of the files; by default those of the machine. */
export interface NameFiles {
  readonly hosts: string;
  readonly resolvConf: string;
}

const systemFiles: NameFiles = {
  hosts: process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts',
  resolvConf: '/etc/resolv.conf',
};

const rereadMs = 5_000;

/** Reads the hosts file and resolv.conf, at most once in five seconds. A missing file counts as empty. Times are in milliseconds. */
export function systemNamesReader(now: () => number, files: NameFiles = systemFiles): () => Promise<SystemNames> {
  let readAt = -Infinity;
  let names: Promise<SystemNames>;
  return () => {
    if (now() - readAt >= rereadMs) {
      readAt = now();
      names = read(files);
    }
    return names;
  };
}

async function read(files: NameFiles): Promise<SystemNames> {
  const [hosts, resolvConf] = await Promise.all([files.hosts, files.resolvConf].map((path) => readFile(path, 'utf8').catch(() => '')));
  return { hosts: readHosts(hosts ?? ''), ...readResolvConf(resolvConf ?? '') };
}

/** Source: hosts(5). */
export function readHosts(text: string): Map<string, LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = wordsOf(line.split('#')[0] ?? '');
    const family = isIP(address);
    if (family === 0 || address.includes('%')) continue;
    for (const name of names.map((one) => one.toLowerCase())) {
      const found = hosts.get(name);
      if (found) found.push({ address, family });
      else hosts.set(name, [{ address, family }]);
    }
  }
  return hosts;
}

const maxDots = 15;

/** Source: resolv.conf(5): the last `search` or `domain` counts. */
export function readResolvConf(text: string): Omit<SystemNames, 'hosts'> {
  const servers: string[] = [];
  let search: readonly string[] = [];
  let ndots = 1;
  for (const line of text.split('\n')) {
    const [keyword = '', ...values] = wordsOf(line.split(/[#;]/)[0] ?? '');
    if (keyword === 'nameserver') servers.push(values.join(' '));
    if (keyword === 'search') search = values;
    if (keyword === 'domain') search = values.slice(0, 1);
    const [, dots] = (keyword === 'options' && /(?:^| )ndots:(\d{1,3})(?: |$)/.exec(values.join(' '))) || [];
    if (dots !== undefined) ndots = Math.min(Number(dots), maxDots);
  }
  return {
    search: search.map((domain) => domain.replace(/\.$/, '')).filter((domain) => domain !== ''),
    ndots,
    servers: servers.join('\n'),
  };
}

const wordsOf = (line: string): string[] => line.split(/\s+/).filter((word) => word !== '');

/** The names to query, in the order of a C library. */
export function candidatesOf(name: string, { search, ndots }: Pick<SystemNames, 'search' | 'ndots'>): string[] {
  const searched = search.map((domain) => `${name}.${domain}`);
  const dots = name.split('.').length - 1;
  return dots >= ndots ? [name, ...searched] : [...searched, name];
}
