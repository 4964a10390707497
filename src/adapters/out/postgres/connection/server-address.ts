import type { ClientConfig } from 'pg';
import { parse, type ConnectionOptions } from 'pg-connection-string';

/** The URL cannot be used. The message has the reason, without credentials. */
export class UnusableConnectionUrl extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = new.target.name;
  }
}

type TlsOptions = Exclude<ClientConfig['ssl'], boolean | undefined>;
/** `undefined`: as the driver's environment sets it (PGSSLMODE), otherwise without TLS. */
type Tls = TlsOptions | false | undefined;

/** The host of a Unix socket is a folder. */
const isSocket = (host: string): boolean => host.startsWith('/');

/** Whether the connection failed because of TLS: not offered, required, refused for the role, or no common protocol. */
const isTlsMismatch = (error: unknown): boolean => {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return code === '28000' || /^(ERR_(SSL|TLS)|EPROTO)/.test(code) || /does not support SSL|SSL required/.test(message);
};

/**
 * One server by its URL, read as libpq does: TCP or a Unix socket, `sslmode` and its files. When `sslmode` leaves a choice (`prefer`,
 * `allow`), remembers the TLS mode that worked last.
 */
export class ServerAddress {
  readonly setting: string;
  private readonly options: ConnectionOptions;
  private readonly tlsModes: readonly Tls[];
  private tlsMode = 0;

  /**
   * @param options - `setting` is the name of the setting that holds the URL, for messages.
   * @throws UnusableConnectionUrl
   */
  constructor(url: string, { setting = 'DATABASE_URL' }: { readonly setting?: string } = {}) {
    this.setting = setting;
    this.options = optionsFrom(url, setting);
    this.tlsModes = tlsModesOf(this.options, url);
  }

  /** The driver's configuration. Omits other parameters of the URL, because the pool would read them as its own settings. */
  get config(): ClientConfig {
    const { host, port, user, password, database, options } = this.options;
    const ssl = this.tlsModes[this.tlsMode];
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

  /** The address for messages, without credentials. */
  get location(): string {
    const { host, port } = this.options;
    const name = host || 'localhost';
    if (isSocket(name)) return `${name} (socket, port ${port || '5432'})/${this.database}`;
    return `${name.includes(':') ? `[${name}]` : name}${port ? `:${port}` : ''}/${this.database}`;
  }

  /** The number of connection attempts: one per TLS mode. */
  get tries(): number {
    return this.tlsModes.length;
  }

  /** Switches to the other TLS mode after a mismatch. True: `config` now has the other mode. */
  turn(error: unknown): boolean {
    if (this.tlsModes.length === 1 || !isTlsMismatch(error)) return false;
    this.tlsMode = (this.tlsMode + 1) % this.tlsModes.length;
    return true;
  }
}

function optionsFrom(url: string, setting: string): ConnectionOptions {
  if (!/^postgres(ql)?:\/\//.test(url)) throw new UnusableConnectionUrl(reasonOf(new Error(), null, setting));
  const [address = '', query = ''] = splitAt(url, '?');
  const parameters = new URLSearchParams(query);
  // Node has built-in root certificates and uses them when no file is given.
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

/** The TLS modes to try, the preferred one first (libpq, table 34.1). A Unix socket has none. */
function tlsModesOf({ host, ssl, sslpassword }: ConnectionOptions, url: string): readonly [Tls, ...Tls[]] {
  if (host && isSocket(host)) return [false];
  const sslmode = new URLSearchParams(splitAt(url, '?')[1]).get('sslmode');
  const given = tlsFrom(ssl, sslpassword);
  if (sslmode === 'allow') return [false, { ...given, ...unverified }];
  if (sslmode === 'prefer') return [given, false];
  return [given];
}

/** `passphrase`: the password of the private key. */
function tlsFrom(ssl: ConnectionOptions['ssl'], passphrase?: unknown): Tls {
  if (typeof ssl === 'object') return { ...(ssl as TlsOptions), ...(typeof passphrase === 'string' && { passphrase }) };
  if (ssl === 'no-verify') return unverified;
  return ssl === undefined ? undefined : ssl !== false && {};
}
