import { isIP, type Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import connectorBy from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Client from 'undici/lib/dispatcher/client.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { laneRules } from '../../../domain/deliveries/lane';
import { processPlaces } from '../../../domain/isolation/partner-isolation';
import { AddressRefused, type OutboundGuard } from './outbound-guard';
import { skipInformational, type InformationalAnswers } from './wire/informational-answers';

/** No connection came about in time: nobody answered, or TLS was not agreed. */
class ConnectTimeout extends Error {
  constructor(readonly code: 'CONNECT_TIMEOUT' | 'TLS_TIMEOUT') {
    super('No connection in time');
  }
}

/** Connections to one origin: as many as calls and deliveries of this process have places, so that none waits here for another. */
const connectionsPerOrigin = laneRules.placesOfAll + processPlaces.shared + processPlaces.reserve;
/** Below the 5 s after which common servers close an idle connection, so that few are closed as they are used again. */
const idleMs = 3000;

/** No clock of its own: each call has a deadline. */
const bounds = {
  pipelining: 1,
  keepAliveTimeout: idleMs,
  keepAliveMaxTimeout: idleMs,
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: 16_384,
} satisfies Client.Options;

/** Hears on which connection its request is to be sent; the connection may not be there yet. */
export interface OnConnection extends Dispatcher.DispatchHandler {
  connection?: Connection;
}

/** One connection to a partner at a time, and how often it has been used. */
export class Connection extends Client {
  /** Requests that were begun on the socket that is open. */
  private begun = 0;
  private answers: InformationalAnswers | undefined;

  /** A new socket is there. */
  opened(socket: Socket): void {
    this.begun = 0;
    this.answers = skipInformational(socket, bounds.maxHeaderSize);
  }

  /** A request is about to be written. Returns whether its socket was used before. */
  begin(): boolean {
    this.answers?.expect();
    return this.begun++ > 0;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: OnConnection): boolean {
    handler.connection = this;
    return super.dispatch(options, handler);
  }
}

/** The ways to all partners: connections that are kept, and none that the guard does not allow or that takes beyond `connectTimeoutMs`. */
export function partnerConnections(guard: OutboundGuard, connectTimeoutMs: number): Agent {
  const connectTo = connectorOf(guard, connectTimeoutMs);
  return new Agent({
    factory: (origin) =>
      new Pool(origin, {
        connections: connectionsPerOrigin,
        factory: (place) => {
          const connect: buildConnector.connector = (options, done) => {
            connectTo(options, (...[error, socket]) => {
              if (error) {
                done(error, null);
                return;
              }
              connection.opened(socket);
              done(null, socket);
            });
          };
          const connection = new Connection(place, { ...bounds, connect });
          return connection;
        },
      }),
  });
}

/** Connectors by port, as the guard's look-up goes by it: each keeps TLS sessions. */
function connectorOf(guard: OutboundGuard, connectTimeoutMs: number): buildConnector.connector {
  const known = new Map<string, buildConnector.connector>();
  // Of a name with several addresses the next one is tried where one does not answer, while there is time.
  const attempts = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: Math.max(10, connectTimeoutMs / 4) };
  return (options, done) => {
    const { protocol, hostname } = options;
    const port = options.port || (protocol === 'https:' ? '443' : '80');
    // A look-up is never made for an address: it is checked here.
    if (isIP(hostname) !== 0 && !guard.allows(hostname, port, protocol)) {
      done(new AddressRefused(), null);
      return;
    }
    const way = `${protocol}${port}`;
    // The time-out of the library is as coarse as a second.
    const connect = known.get(way) ?? connectorBy({ ...attempts, timeout: 0, lookup: guard.lookupFor(port, protocol) });
    known.set(way, connect);
    // It gives the socket back, which its type does not say.
    const socket = (connect as (...given: Parameters<typeof connect>) => Socket)({ ...options, port }, done);
    watch(socket, protocol, connectTimeoutMs, (address) => guard.allows(address, port, protocol));
  };
}

function watch(socket: Socket, protocol: string, connectTimeoutMs: number, allows: (address: string) => boolean): void {
  const timer = setTimeout(
    () => socket.destroy(new ConnectTimeout(socket.connecting ? 'CONNECT_TIMEOUT' : 'TLS_TIMEOUT')),
    connectTimeoutMs,
  );
  socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(timer));
  socket.once('close', () => clearTimeout(timer));
  // Whatever chose the address: none that is not allowed is talked to.
  socket.prependOnceListener('connect', () => {
    if (!socket.remoteAddress || !allows(socket.remoteAddress)) socket.destroy(new AddressRefused());
  });
}
