import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to Postgres on which the connections of one application can be made to misbehave. */
export interface DatabaseProxy {
  /** The database, by way of this wire. */
  readonly url: string;
  /** Connections of the application that are open now. */
  readonly open: number;
  /** From now on nothing passes, either way, as on a half-open connection; not on new ones either. */
  hang(): void;
  /** The application's connections end, and new ones do too, as while a server is away. */
  goAway(): void;
  /** Everything passes again, held bytes first. */
  mend(): void;
  /** From now on notices do not pass, as behind a pooler in transaction mode. */
  swallowNotices(): void;
  /** The server's sessions stop listening, and nobody notices, as where a pooler puts another session behind a connection. */
  unlisten(): void;
  close(): Promise<void>;
}

interface Line {
  readonly near: Socket;
  readonly far: Socket;
  /** What the server says is for the wire alone, up to its next `ready`. */
  own: boolean;
}

const notice = 'A'.charCodeAt(0);
const ready = 'Z'.charCodeAt(0);

/** Opens a wire to the database of the URL, without TLS, that misbehaves for connections of the named application alone. */
export async function openDatabaseProxy(url: string, application: string): Promise<DatabaseProxy> {
  const target = new URL(url);
  const chosen = new Set<Line>();
  const sockets = new Set<Socket>();
  const state = { hanging: false, swallowing: false, away: false };
  const halt = ({ near, far }: Line): void => {
    near.pause();
    far.pause();
  };

  const join = (near: Socket, startup: Buffer): void => {
    const isChosen = startup.includes(application);
    if (isChosen && state.away) {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port || '5432'), target.hostname);
    const line: Line = { near, far, own: false };
    if (isChosen) chosen.add(line);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        other.destroy();
        sockets.delete(one);
        chosen.delete(line);
      });
    }
    far.write(startup);
    near.on('data', (chunk: Buffer) => far.write(chunk));
    const framed = messages();
    const onMessage = (message: Buffer): void => {
      if (line.own) line.own = message[0] !== ready;
      else if (!state.swallowing || message[0] !== notice) near.write(message);
    };
    far.on('data', (chunk: Buffer) => {
      if (isChosen) framed(chunk).forEach(onMessage);
      else near.write(chunk);
    });
    if (isChosen && state.hanging) halt(line);
  };
  const server = createServer((near) => near.once('data', (startup: Buffer) => join(near, startup)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = url.replace(target.host, `127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  return {
    url: own,
    get open() {
      return chosen.size;
    },
    hang: () => {
      state.hanging = true;
      chosen.forEach(halt);
    },
    goAway: () => {
      state.away = true;
      chosen.forEach(({ near }) => near.destroy());
    },
    mend: () => {
      Object.assign(state, { hanging: false, swallowing: false, away: false });
      for (const { near, far } of chosen) {
        near.resume();
        far.resume();
      }
    },
    swallowNotices: () => void (state.swallowing = true),
    unlisten: () => {
      for (const line of chosen) {
        line.own = true;
        line.far.write(query('unlisten *'));
      }
    },
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Cuts what a server says into its messages (protocol 3.0: a letter, and a length that counts itself). */
function messages(): (chunk: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const whole: Buffer[] = [];
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1);
      whole.push(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
    return whole;
  };
}

/** A simple query (protocol 3.0, message `Q`). */
function query(text: string): Buffer {
  const head = Buffer.from('Q....');
  head.writeInt32BE(4 + text.length + 1, 1);
  return Buffer.concat([head, Buffer.from(`${text}\0`)]);
}
