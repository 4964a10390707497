import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import { Server as Listener, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Express } from 'express';
import { notHttp, tooManyHeaders, type BareRefusal } from '../../adapters/in/http/admission/bare-refusal';
import { expressClasses } from '../../adapters/in/http/express-classes';
import { NotListening } from './not-listening';
import { OpenConnections } from './open-connections';

/** The durations of the parts of a stop, in milliseconds. */
export interface StopTimes {
  /** How long new connections are still accepted; 0 by default. */
  readonly acceptForMs?: number;
  /** How long an idle connection stays open, so that its client sees the close in time; 500 by default. */
  readonly lingerMs?: number;
}

/** A listening server. */
export interface HttpServer {
  readonly port: number;
  /**
   * Closes each connection after the answer in flight, or the next one. Accepts no more connections, waits at most `graceMs` for running
   * requests, and then cuts the rest.
   */
  close(graceMs: number, times?: StopTimes): Promise<void>;
}

/** The count is checked here, because the parser silently drops lines beyond its own limit. */
const headerBounds = { lines: 100, bytes: 16_384 };
/**
 * Limits for slow senders: headers within 10 s, the whole request within 20 s, checked each second. Idle connections stay open longer than
 * common load balancers keep theirs (60 s), so that the load balancer closes first.
 */
const bounds = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: headerBounds.bytes,
};
/** Above the target of one process (10,000 idle, 2,000 slow). Further connections are closed at once. */
const maxConnections = 16_384;
/**
 * The maximum number of connections waiting to be accepted; the system may have a lower limit. A caller beyond it tries again after a
 * second.
 */
const backlog = 4096;

/** How long a caller may leave its answer unread, in milliseconds, and the number of checks in that time. */
const unreadAfterMs = 30_000;
const checksUntilThen = 6;

/**
 * Starts listening. Rejects with NotListening when the address is in use or not allowed. `unreadMs`: closes the connection of a caller that
 * leaves its answer unread for so long.
 */
export function listen(
  app: Express,
  address: { host: string; port: number },
  { unreadMs = unreadAfterMs }: { readonly unreadMs?: number } = {},
): Promise<HttpServer> {
  const { server, open } = serverOf(app, unreadMs);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new NotListening(address, error));
    });
    server.listen({ port: address.port, host: address.host, backlog }, () => {
      server.removeAllListeners('error');
      resolve({
        port: (server.address() as AddressInfo).port,
        close: (graceMs, times) => closeServer(server, open, { graceMs, ...times }),
      });
    });
  });
}

/** Creates the server of the app, which does not listen yet, and the list of its connections. */
function serverOf(app: Express, unreadMs: number): { readonly server: Server; readonly open: OpenConnections } {
  const server = createServer({ ...bounds, ...expressClasses(app) });
  server.maxConnections = maxConnections;
  server.maxHeadersCount = 0;
  const open = new OpenConnections(server);
  const unreadSweep = setInterval(() => open.closeUnread(unreadMs, performance.now()), unreadMs / checksUntilThen).unref();
  server.once('close', () => clearInterval(unreadSweep));
  const serve: RequestListener = (request, response) => {
    open.answering(response);
    if (request.rawHeaders.length <= 2 * headerBounds.lines) {
      app(request, response);
      return;
    }
    const { status, headers, body } = tooManyHeaders(headerBounds);
    response.writeHead(status, headers).end(body);
  };
  server.on('request', (request, response) => {
    // Pipelined requests wait until the answers before them are sent. Node would create all answers at once, buffer them however slowly
    // they are read, and emit no event for answers that had no socket when the connection broke.
    if (response.socket) serve(request, response);
    else
      response.once('socket', ({ destroyed }: Socket) => {
        if (!destroyed) serve(request, response);
      });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    // Writing to the socket would corrupt an answer in flight.
    if (!socket.writable || open.isAnswering(socket)) socket.destroy();
    else refuseOn(socket, error.code === 'HPE_HEADER_OVERFLOW' ? tooManyHeaders(headerBounds) : notHttp());
  });
  return { server, open };
}

/** When the parser fails there is no response object, only the socket. */
function refuseOn(socket: Socket, { status, headers, body }: BareRefusal): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  socket.write([`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`, ...lines, '', ''].join('\r\n'));
  socket.write(body);
  socket.destroySoon();
}

/**
 * The interval of checks in milliseconds. Connections are closed after idle checks for `lingerMs`; counting checks instead of time ignores
 * pauses of the process.
 */
const checkEveryMs = 25;

async function closeServer(
  server: Server,
  open: OpenConnections,
  { graceMs, acceptForMs = 0, lingerMs = 500 }: StopTimes & { graceMs: number },
): Promise<void> {
  if (acceptForMs > 0) {
    open.letGo();
    await pause(acceptForMs);
  }
  await allTaken(open);
  // Closes only the listener: the server's own `close` also cuts idle connections, which may have a request on the way.
  const closed = new Promise((resolve) => Listener.prototype.close.call(server, resolve));
  open.letGo();
  let checks = 0;
  const sweep = setInterval(() => {
    // Runs after received data has been read.
    if (++checks * checkEveryMs > lingerMs)
      setImmediate(() => {
        open.closeIdle();
      });
  }, checkEveryMs);
  const cut = setTimeout(() => {
    server.closeAllConnections();
  }, graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
  // The listener is closed already; this ends the server's own check for slow senders.
  server.close(() => undefined);
}

/** The maximum milliseconds of a turn of the event loop that counts as idle, and the maximum number of turns to wait for one. */
const shortTurnMs = 0.5;
const maxTurns = 10_000;

/**
 * Accepts all waiting connections before the port closes, because the system resets the rest. The event loop accepts one connection per
 * turn (libuv 1.45), so a turn without a new connection means that none waits; and hardly any arrives within a short turn.
 */
async function allTaken(open: OpenConnections): Promise<void> {
  await nextTurn();
  for (let turn = 0; turn < maxTurns; turn++) {
    const [{ taken }, startedAt] = [open, performance.now()];
    await nextTurn();
    if (open.taken === taken && performance.now() - startedAt < shortTurnMs) return;
  }
}
