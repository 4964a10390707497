import type { ClientConfig } from 'pg';
import { parse, type ConnectionOptions } from 'pg-connection-string';

/** The URL cannot be used; the message says why, without credentials. */
export class UnusableConnectionUrl extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = new.target.name;
  }
}

type TlsOptions = Exclude<ClientConfig['ssl'], boolean | undefined>;
/** `undefined`: as the environment of the driver says (PGSSLMODE), else without. */
type Tls = TlsOptions | false | undefined;

/** Of a Unix socket, it is a folder. */
const isSocket = (host: string): boolean => host.startsWith('/');

/** The server offers no TLS, insists on it, refuses the role with it or without it, or does not agree on a protocol. */
const askedOtherwise = (error: unknown): boolean => {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return code === '28000' || /^(ERR_(SSL|TLS)|EPROTO)/.test(code) || /does not support SSL|SSL required/.test(message);
};

/**
 * One server by its URL, as libpq reads it: TCP or a Unix socket, `sslmode` and its files. Remembers which way of TLS was the last that it
 * took where `sslmode` leaves a choice (`prefer`, `allow`).
 */
export class ServerAddress {
  readonly setting: string;
  private readonly options: ConnectionOptions;
  private readonly ways: readonly Tls[];
  private way = 0;

  /**
   * @param options - `setting` is the name of the setting that holds the URL, for messages.
   * @throws UnusableConnectionUrl
   */
  constructor(url: string, { setting = 'DATABASE_URL' }: { readonly setting?: string } = {}) {
    this.setting = setting;
    this.options = optionsFrom(url, setting);
    this.ways = waysOf(this.options, url);
  }

  /** What the driver connects with. Other parameters of the URL are left out: they would be taken for settings of the pool. */
  get config(): ClientConfig {
    const { host, port, user, password, database, options } = this.options;
    const ssl = this.ways[this.way];
    return {
      ...(host && { host }),
      ...(port && { port: Number(port) }),
      ...(user && { user }),
      ...(password && { password }),
      ...(database && { database }),
      ...(options && { options }),
      ...(this.options['channel_binding'] === 'require' && { enableChannelBinding: true }),
      ...(ssl !== undefined && { ssl }),
      ...(ssl && { sslnegotiation: this.options.sslnegotiation }),
    };
  }

  get user(): string {
    return this.options.user ?? '';
  }

  get database(): string {
    return this.options.database ?? this.user;
  }

  /** Where it is, without credentials. */
  get place(): string {
    const { host, port } = this.options;
    const name = host || 'localhost';
    if (isSocket(name)) return `${name} (socket, port ${port || '5432'})/${this.database}`;
    return `${name.includes(':') ? `[${name}]` : name}${port ? `:${port}` : ''}/${this.database}`;
  }

  /** How many connects are worth a try: one for each way of TLS. */
  get tries(): number {
    return this.ways.length;
  }

  /** True: the server wants the other way of TLS, and `config` has it now. */
  turn(error: unknown): boolean {
    if (this.ways.length === 1 || !askedOtherwise(error)) return false;
    this.way = (this.way + 1) % this.ways.length;
    return true;
  }
}

function optionsFrom(url: string, setting: string): ConnectionOptions {
  if (!/^postgres(ql)?:\/\//.test(url)) throw new UnusableConnectionUrl(reasonOf(new Error(), null, setting));
  const [address = '', query = ''] = splitAt(url, '?');
  const parameters = new URLSearchParams(query);
  // Node brings the well-known authorities along, and uses them where no file is named.
  if (parameters.get('sslrootcert') === 'system') {
    parameters.delete('sslrootcert');
    parameters.set('sslmode', 'verify-full');
  }
  parameters.delete('uselibpqcompat');
  const text = parameters.toString().replaceAll('+', '%20');
  try {
    return parse(text ? `${address}?${text}` : address, { useLibpqCompat: true });
  } catch (error) {
    throw new UnusableConnectionUrl(reasonOf(error as NodeJS.ErrnoException, parameters.get('sslmode'), setting));
  }
}

function reasonOf({ path, code, message }: NodeJS.ErrnoException, sslmode: string | null, setting: string): string {
  if (code === 'EISDIR') return `${setting} names a folder with sslcert, sslkey or sslrootcert: name a file`;
  if (path !== undefined) return `${path}, which ${setting} names, cannot be read (${code ?? message})`;
  if (sslmode === 'verify-ca') return `sslmode=verify-ca in ${setting} needs sslrootcert, the file of the authority`;
  return `${setting} must be a URL such as postgres://user:password@host:5432/name`;
}

function splitAt(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

const unverified: Tls = { rejectUnauthorized: false };

/** Ways of TLS, the preferred one first (libpq, table 34.1). A Unix socket has none. */
function waysOf({ host, ssl, sslpassword }: ConnectionOptions, url: string): readonly [Tls, ...Tls[]] {
  if (host && isSocket(host)) return [false];
  const sslmode = new URLSearchParams(splitAt(url, '?')[1]).get('sslmode');
  const given = tlsFrom(ssl, sslpassword);
  if (sslmode === 'allow') return [false, { ...given, ...unverified }];
  if (sslmode === 'prefer') return [given, false];
  return [given];
}

/** `passphrase`: the password of the key. */
function tlsFrom(ssl: ConnectionOptions['ssl'], passphrase?: unknown): Tls {
  if (typeof ssl === 'object') return { ...(ssl as TlsOptions), ...(typeof passphrase === 'string' && { passphrase }) };
  if (ssl === 'no-verify') return unverified;
  return ssl === undefined ? undefined : ssl !== false && {};
}
