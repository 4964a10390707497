interface Wanted {
  readonly host: string;
  readonly port: number;
  /** The setting that holds the port; PORT by default. */
  readonly setting?: string;
}

const whyNot: Readonly<Record<string, (setting: string) => string>> = {
  EADDRINUSE: (setting) => `is taken by another process: stop it, or set another ${setting}`,
  EACCES: (setting) => `may not be used by the user of this process: set ${setting} above 1023`,
  EADDRNOTAVAIL: () => 'is on an address that this machine does not have: set another HOST',
  ENOTFOUND: () => 'is on a host whose name is not known: set another HOST',
};

/** The port is not available. The message has the port, the reason and the setting to change. */
export class NotListening extends Error {
  constructor({ host, port, setting = 'PORT' }: Wanted, cause: NodeJS.ErrnoException) {
    const { code = '', message } = cause;
    super(`The port ${String(port)} of ${host} ${whyNot[code]?.(setting) ?? 'cannot be used'} (${code || message})`, { cause });
    this.name = new.target.name;
  }
}
