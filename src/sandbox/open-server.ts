import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listen address of a sandbox partner. Port 0 means any free port. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A listening sandbox partner. */
export interface OpenServer {
  /** No trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts to listen; rejects where the port is in use. */
export async function openServer(listener: RequestListener, { host, port }: ListenAddress): Promise<OpenServer> {
  const server = createServer(listener);
  // Longer than callers keep idle connections, so that no call arrives on a connection that is being closed.
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
