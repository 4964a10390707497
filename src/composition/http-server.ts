import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import { Server as Listener, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Express } from 'express';
import { notHttp, tooManyHeaders, type BareRefusal } from '../adapters/in/http/bare-refusal';
import { expressClasses } from '../adapters/in/http/express-classes';
import { NotListening } from './not-listening';
import { OpenConnections } from './open-connections';

/** How long parts of a stop take, in milliseconds. */
export interface StopTimes {
  /** For how long connections are accepted still; 0. */
  readonly acceptForMs?: number;
  /** For how long a connection may wait for a request, so that its user hears of the close in time; 500. */
  readonly lingerMs?: number;
}

/** A listening server. */
export interface HttpServer {
  readonly port: number;
  /**
   * Closes each connection after the answer under way, or the next one. Accepts no more connections; lets what runs finish for
   * `graceMs` at most, and cuts the rest.
   */
  close(graceMs: number, times?: StopTimes): Promise<void>;
}

/** The count is checked here: the parser would drop the lines beyond its own without a word. */
const headerBounds = { lines: 100, bytes: 16_384 };
/**
 * Slow senders: headers within 10 s, the whole request within 20 s, looked at each second. Idle connections stay longer than
 * common load balancers keep theirs (60 s), so that those close first.
 */
const bounds = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: headerBounds.bytes,
};
/** Above the target of one process (10,000 idle, 2,000 slow); a connection beyond is closed as it comes. */
const mostConnections = 16_384;
/** Connections that wait to be taken; the system may hold it lower. What finds no room is tried again by the caller after a second. */
const backlog = 4096;

/** How long a caller may read nothing of its answer, in milliseconds, and how often that is checked. */
const unreadAfterMs = 30_000;
const looksUntilThen = 6;

/**
 * Listens. Rejects with NotListening where the place is taken or not ours to take. `unreadMs`: after how long the connection of a caller that
 * does not read its answer is closed.
 */
export function listen(
  app: Express,
  place: { host: string; port: number },
  { unreadMs = unreadAfterMs }: { readonly unreadMs?: number } = {},
): Promise<HttpServer> {
  const { server, open } = serverOf(app, unreadMs);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new NotListening(place, error));
    });
    server.listen({ port: place.port, host: place.host, backlog }, () => {
      server.removeAllListeners('error');
      resolve({
        port: (server.address() as AddressInfo).port,
        close: (graceMs, times) => closeServer(server, open, { graceMs, ...times }),
      });
    });
  });
}

/** A server of the app that does not listen yet, and its connections. */
function serverOf(app: Express, unreadMs: number): { readonly server: Server; readonly open: OpenConnections } {
  const server = createServer({ ...bounds, ...expressClasses(app) });
  server.maxConnections = mostConnections;
  server.maxHeadersCount = 0;
  const open = new OpenConnections(server);
  const lookAtUnread = setInterval(() => open.closeUnread(unreadMs, performance.now()), unreadMs / looksUntilThen).unref();
  server.once('close', () => clearInterval(lookAtUnread));
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
    // Requests that were sent before the answers to earlier ones wait for their turn: Node would make all answers at once, keep them
    // however slowly they are read, and say nothing of the end of those that had no socket when the connection broke.
    if (response.socket) serve(request, response);
    else
      response.once('socket', ({ destroyed }: Socket) => {
        if (!destroyed) serve(request, response);
      });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    // An answer under way would be garbled by another one.
    if (!socket.writable || open.isAnswering(socket)) socket.destroy();
    else refuseOn(socket, error.code === 'HPE_HEADER_OVERFLOW' ? tooManyHeaders(headerBounds) : notHttp());
  });
  return { server, open };
}

/** Where the parser gave up there is no answer to write to, only the socket. */
function refuseOn(socket: Socket, { status, headers, body }: BareRefusal): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  socket.write([`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`, ...lines, '', ''].join('\r\n'));
  socket.write(body);
  socket.destroySoon();
}

/** Connections are checked so often, and closed after checks in vain for `lingerMs`: a process that stands still does not check. */
const lookEveryMs = 25;

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
  // The listener alone: the server's own `close` cuts idle connections at once, with requests on their way to us.
  const closed = new Promise((resolve) => Listener.prototype.close.call(server, resolve));
  open.letGo();
  let looks = 0;
  const sweep = setInterval(() => {
    // After what has come in is read.
    if (++looks * lookEveryMs > lingerMs)
      setImmediate(() => {
        open.closeIdle();
      });
  }, lookEveryMs);
  const cut = setTimeout(() => {
    server.closeAllConnections();
  }, graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
  // It no longer listens: this ends its own look at slow senders.
  server.close(() => undefined);
}

/** A turn of the event loop in which next to nothing happened, in milliseconds; and how many turns are waited for one at most. */
const shortTurnMs = 0.5;
const mostTurns = 10_000;

/**
 * The system resets connections that nobody has taken when the port is closed: those that wait are taken first. The event loop
 * takes one in a turn (libuv 1.45), so a turn that takes none has left none; and in a short one hardly another has come.
 */
async function allTaken(open: OpenConnections): Promise<void> {
  await nextTurn();
  for (let turn = 0; turn < mostTurns; turn++) {
    const [{ taken }, startedAt] = [open, performance.now()];
    await nextTurn();
    if (open.taken === taken && performance.now() - startedAt < shortTurnMs) return;
  }
}
