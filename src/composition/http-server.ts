import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A listening server. */
export interface HttpServer {
  readonly port: number;
  /** Stops accepting, lets what runs finish for `graceMs` at most, then cuts the rest. */
  close(graceMs: number): Promise<void>;
}

/** Slow senders hold no place for long: headers within 10 s, the whole request within 20 s. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 20_000;
/** Longer than the idle time of common load balancers (60 s), so that they close first. */
const keepAliveTimeoutMs = 65_000;

/** What a request that is no HTTP gets; nothing of it is quoted. */
const badRequest =
  'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: 94\r\n\r\n' +
  '{"error_code":"INVALID_INPUT","error_message":"The request is not valid HTTP or is too large"}';

/** Listens. Rejects where the place is taken or not ours to take. */
export function listen(listener: RequestListener, place: { host: string; port: number }): Promise<HttpServer> {
  const server = createServer(
    { headersTimeout: headersTimeoutMs, requestTimeout: requestTimeoutMs, keepAliveTimeout: keepAliveTimeoutMs },
    listener,
  );
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end(badRequest);
    else socket.destroy();
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(place.port, place.host, () => {
      server.removeListener('error', reject);
      resolve({ port: (server.address() as AddressInfo).port, close: (graceMs) => close(server, graceMs) });
    });
  });
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection that is busy now is idle after its answer: looked at again until all are gone.
    const sweep = setInterval(() => {
      server.closeIdleConnections();
    }, 50);
    const cut = setTimeout(() => {
      server.closeAllConnections();
    }, graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
  });
}
