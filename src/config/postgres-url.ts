const example = 'postgres://user:password@host:5432/name';
const sslmodes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];
const tlsParameters = new Set(['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword', 'sslnegotiation']);

/**
 * The problem of a Postgres URL, without quoting it, or `undefined`. The host may be empty, with a socket's folder as `host=` in the query.
 */
export function problemOfPostgresUrl(url: string): string | undefined {
  const [, authority, path = '', query = '', fragment] = /^postgres(?:ql)?:\/\/([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  if (authority === undefined) return `must be a URL such as ${example}`;
  // An unescaped character in the password ends the authority too early, so that the rest contains the "@".
  const isCut = path.includes('@') || (query.includes('@') && !query.includes('=')) || fragment !== undefined;
  if (isCut || !isDecodable(authority + path))
    return `holds a character that must be percent-encoded: write % as %25, # as %23, / as %2F, ? as %3F and @ as %40 in the password`;
  return problemOfHost(authority) ?? problemOfTls(new URLSearchParams(query));
}

function problemOfHost(authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  const [isHost, port] = /^(?:\[[0-9A-Fa-f:.]+\]|[^:\s[\]]*)(?::([^\s:]*))?$/.exec(authority.slice(at + 1)) ?? [];
  // Without a user, a colon may be that of a user and password whose host is missing.
  if (isHost === undefined || (at < 0 && port !== undefined && !/^\d+$/.test(port))) return `must be a URL such as ${example}`;
  if (port === undefined || (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65535)) return undefined;
  return 'must have a port from 1 to 65535 after the colon that follows the host';
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** A misspelt name or value would silently disable TLS. */
function problemOfTls(parameters: URLSearchParams): string | undefined {
  const unknown = [...parameters.keys()].find((name) => name.startsWith('ssl') && !tlsParameters.has(name));
  if (unknown !== undefined) return `has no parameter ${unknown}: TLS is set by ${[...tlsParameters].join(', ')}`;
  const sslmode = parameters.get('sslmode');
  return sslmode === null || sslmodes.includes(sslmode) ? undefined : `holds an sslmode that is none of ${sslmodes.join(', ')}`;
}
