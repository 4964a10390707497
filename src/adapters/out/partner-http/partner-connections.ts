import { isIP, type Socket } from 'node:net';
import { Agent, buildConnector, Client, Pool, type Dispatcher } from 'undici';
import { laneRules } from '../../../domain/deliveries/lane';
import { processPlaces } from '../../../domain/isolation/partner-isolation';
import type { HostApp } from '../../../domain/partners/host-app';
import type { Miniapp } from '../../../domain/partners/miniapp';
import { AddressRefused, type OutboundGuard } from './outbound-guard';
import { skipInformational, type InformationalAnswers } from './wire/informational-answers';

/**
 * How the connections to one partner are made, where that differs from all others. A proxy of a partner would be another member, for
 * which `make` returns undici's ProxyAgent.
 */
export interface ConnectionOptions {
  /** PEM: the authorities that may vouch for the partner, instead of those that Node knows. */
  readonly ca?: string;
  /** PEM: the certificate that we show to the partner, and its key. */
  readonly cert?: string;
  readonly key?: string;
}

interface Deps {
  readonly guard: OutboundGuard;
  /** Milliseconds for a connection, TLS included. */
  readonly connectTimeoutMs: number;
  /** The options of a partner, the same object until they change; absent: no partner has any. */
  readonly optionsOf?: ((partner: HostApp | Miniapp) => ConnectionOptions | undefined) | undefined;
}

/** The kept connections to all partners. None leads to an address that the guard does not allow. */
export class PartnerConnections {
  private readonly shared: Dispatcher;
  /** By kind and id: those of partners that have options. */
  private readonly own = new Map<string, { readonly options: ConnectionOptions; readonly dispatcher: Dispatcher }>();

  constructor(private readonly deps: Deps) {
    this.shared = this.make({});
  }

  /** Those of the partner alone where it has options, made anew when they change; else those that all others share. */
  to(partner: HostApp | Miniapp): Dispatcher {
    const options = this.deps.optionsOf?.(partner);
    if (!options) return this.shared;
    const key = `${partner.kind} ${partner.id}`;
    const kept = this.own.get(key);
    if (kept?.options === options) return kept.dispatcher;
    const dispatcher = this.make(options);
    this.own.set(key, { options, dispatcher });
    void kept?.dispatcher.close();
    return dispatcher;
  }

  /** Closes all, and breaks off what still runs. */
  destroy(): void {
    for (const dispatcher of [this.shared, ...[...this.own.values()].map((own) => own.dispatcher)]) void dispatcher.destroy();
  }

  private make(options: ConnectionOptions): Dispatcher {
    const connectTo = guardedConnector(this.deps, options);
    return new Agent({
      factory: (origin) =>
        new Pool(origin, { connections: connectionsPerOrigin, factory: (place) => new PartnerConnection(place, connectTo) }),
    });
  }
}

/** As many as calls and deliveries of this process have places, so that none waits here for another. */
const connectionsPerOrigin = laneRules.placesOfAll + processPlaces.shared + processPlaces.reserve;

const bounds = {
  pipelining: 1,
  // Below the 5 s after which common servers close an idle connection, so that few are closed as they are used again.
  keepAliveTimeout: 3000,
  keepAliveMaxTimeout: 3000,
  // Each call has a deadline of its own.
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: 16_384,
} satisfies Client.Options;

/** A request that learns on which connection it is sent; the connection need not be open yet. */
export interface DispatchByConnection extends Dispatcher.DispatchOptions {
  connection: PartnerConnection | undefined;
}

/** One connection to a partner at a time, and how often it has been used. */
class PartnerConnection extends Client {
  /** Requests that were begun on the socket that is open. */
  private begun = 0;
  private answers: InformationalAnswers | undefined;

  constructor(origin: URL, connectTo: buildConnector.connector) {
    const connect: buildConnector.connector = (options, done) => {
      connectTo(options, (...outcome) => {
        if (outcome[1]) this.opened(outcome[1]);
        done(...outcome);
      });
    };
    super(origin, { ...bounds, connect });
  }

  private opened(socket: Socket): void {
    this.begun = 0;
    this.answers = skipInformational(socket, bounds.maxHeaderSize);
  }

  /** A request is about to be written. Returns whether its socket was used before. */
  begin(): boolean {
    this.answers?.expect();
    return this.begun++ > 0;
  }

  override dispatch(options: DispatchByConnection, handler: Dispatcher.DispatchHandler): boolean {
    options.connection = this;
    return super.dispatch(options, handler);
  }
}

/** No connection came about in time: nobody answered, or TLS was not agreed. */
class ConnectTimeout extends Error {
  constructor(readonly code: 'CONNECT_TIMEOUT' | 'TLS_TIMEOUT') {
    super('No connection in time');
  }
}

/** Connectors by port, as the guard's look-up goes by it: each keeps TLS sessions. */
function guardedConnector({ guard, connectTimeoutMs }: Deps, own: ConnectionOptions): buildConnector.connector {
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
    const connect = known.get(way) ?? buildConnector({ ...own, ...attempts, timeout: 0, lookup: guard.lookupFor(port, protocol) });
    known.set(way, connect);
    // It returns the socket, which its type does not say.
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
