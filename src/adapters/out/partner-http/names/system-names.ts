import { readFile } from 'node:fs/promises';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';

/** How names are meant on this machine. */
export interface SystemNames {
  /** By name in lower case, as the hosts file has them. */
  readonly hosts: ReadonlyMap<string, readonly LookupAddress[]>;
  /** Domains that short names are looked for in, in order. */
  readonly search: readonly string[];
  /** A name with fewer dots is looked for in the search domains first. */
  readonly ndots: number;
  /** The lines that name servers; a change asks for a new resolver. */
  readonly servers: string;
}

/** Where the files are; those of the machine. */
export interface NameFiles {
  readonly hosts: string;
  readonly resolvConf: string;
}

const systemFiles: NameFiles = {
  hosts: process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts',
  resolvConf: '/etc/resolv.conf',
};

const rereadMs = 5_000;

/** Reads the hosts file and resolv.conf, at most once in five seconds; a file that is not there says nothing. Times: milliseconds. */
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

const mostDots = 15;

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
    if (dots !== undefined) ndots = Math.min(Number(dots), mostDots);
  }
  return {
    search: search.map((domain) => domain.replace(/\.$/, '')).filter((domain) => domain !== ''),
    ndots,
    servers: servers.join('\n'),
  };
}

const wordsOf = (line: string): string[] => line.split(/\s+/).filter((word) => word !== '');

/** The names to ask for, in order, as a C library would. */
export function candidatesOf(name: string, { search, ndots }: Pick<SystemNames, 'search' | 'ndots'>): string[] {
  const searched = search.map((domain) => `${name}.${domain}`);
  const dots = name.split('.').length - 1;
  return dots >= ndots ? [name, ...searched] : [...searched, name];
}
