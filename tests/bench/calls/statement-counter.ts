import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const letterOf = (text: string): number => text.charCodeAt(0);
/** Messages of the protocol (PostgreSQL 3.0) that have a statement run. */
const [execute, query] = [letterOf('E'), letterOf('Q')];

/** A way to Postgres that counts the statements which pass on it, `begin` and `commit` among them. Without TLS. */
export class StatementCounter {
  /** Statements since it was opened. */
  count = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** The database, by this way. */
    readonly url: string,
  ) {}

  static async open(databaseUrl: string): Promise<StatementCounter> {
    const target = new URL(databaseUrl);
    const server = createServer({ noDelay: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = databaseUrl.replace(target.host, `127.0.0.1:${(server.address() as AddressInfo).port}`);
    const counter = new StatementCounter(server, url);
    server.on('connection', (near) =>
      counter.join(near, connect({ port: Number(target.port || '5432'), host: target.hostname, noDelay: true })),
    );
    return counter;
  }

  async close(): Promise<void> {
    this.sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(near: Socket, far: Socket): void {
    const counted = messages((letter) => {
      if (letter === execute || letter === query) this.count++;
    });
    near.on('data', counted);
    near.pipe(far);
    far.pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        other.destroy();
        this.sockets.delete(one);
      });
    }
  }
}

/** Calls back with the letter of each message; the first one, which opens the connection, has none. */
function messages(onLetter: (letter: number) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let [hasLetter, at] = [false, 0];
  return (chunk) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    for (at = 0; rest.length >= at + 5; hasLetter = true) {
      const end = at + (hasLetter ? 1 + rest.readUInt32BE(at + 1) : rest.readUInt32BE(at));
      if (end > rest.length) break;
      if (hasLetter) onLetter(rest[at]!);
      at = end;
    }
    rest = rest.subarray(at);
  };
}
