import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** One address before several servers, as a cluster has: behind it stands one of them, until it is another. */
export interface DatabaseAddress {
  readonly url: string;
  /** New connections go to another port of loopback from now on; those that are there end. */
  pointTo(port: number): void;
  close(): Promise<void>;
}

export async function openDatabaseAddress(firstPort: number): Promise<DatabaseAddress> {
  const sockets = new Set<Socket>();
  let target = firstPort;
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: target, host: '127.0.0.1', noDelay: true });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endAll = (): void => {
    sockets.forEach((socket) => socket.destroy());
  };
  return {
    url: `postgres://postgres@127.0.0.1:${String((server.address() as AddressInfo).port)}/postgres`,
    pointTo: (port) => {
      target = port;
      endAll();
    },
    close: async () => {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
