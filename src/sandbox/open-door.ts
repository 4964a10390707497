import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where a sandbox partner listens. Port 0: any free one. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** A sandbox partner that listens. */
export interface OpenDoor {
  /** Without a final slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Listens; rejects where the port is taken. */
export async function openDoor(listener: RequestListener, { host, port }: Place): Promise<OpenDoor> {
  const server = createServer(listener);
  // Longer than callers keep idle connections, so that no call meets a connection that is just being closed.
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const bound = server.address() as AddressInfo; // a listening TCP server's address is never text or null
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return { url: `http://${name}:${bound.port}`, close: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => {
      if (error) reject(error);
      else resolve();
    });
    server.closeAllConnections();
  });
}
