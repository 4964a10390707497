import { isIP, type Socket } from 'node:net';
import { Agent, buildConnector, Client, Pool, type Dispatcher } from 'undici';
import { endpointQueueRules } from '../../../domain/deliveries/endpoint-queue';
import { processSlots } from '../../../domain/isolation/partner-isolation';
import type { HostApp } from '../../../domain/partners/host-app';
import type { Miniapp } from '../../../domain/partners/miniapp';
import { AddressRefused, type OutboundGuard } from './outbound-guard';
import { skipInformational, type InformationalAnswers } from './informational-answers';

/**
 * Connection options of one partner that differ from the defaults. Support for a proxy would add a member, for which `make` returns
 * undici's ProxyAgent.
 */
export interface ConnectionOptions {
  /** PEM: the certificate authorities trusted for the partner, instead of Node's. */
  readonly ca?: string;
  /** PEM: the client certificate for the partner, and its key. */
  readonly cert?: string;
  readonly key?: string;
}

interface Deps {
  readonly guard: OutboundGuard;
  /** The connect timeout in milliseconds, TLS included. */
  readonly connectTimeoutMs: number;
  /** The options of a partner, the same object until they change. Absent: no partner has any. */
  readonly optionsOf?: ((partner: HostApp | Miniapp) => ConnectionOptions | undefined) | undefined;
}

/** The keep-alive connections to all partners. None connects to an address that the guard refuses. */
export class PartnerConnections {
  private readonly shared: Dispatcher;
  /** By kind and id: the dispatchers of partners with options. */
  private readonly own = new Map<string, { readonly options: ConnectionOptions; readonly dispatcher: Dispatcher }>();

  constructor(private readonly deps: Deps) {
    this.shared = this.make({});
  }

  /** Returns the partner's own dispatcher when it has options, recreated when they change; otherwise the shared one. */
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

  /** Closes all connections and aborts running requests. */
  destroy(): void {
    for (const dispatcher of [this.shared, ...[...this.own.values()].map((own) => own.dispatcher)]) void dispatcher.destroy();
  }

  private make(options: ConnectionOptions): Dispatcher {
    const connectTo = guardedConnector(this.deps, options);
    return new Agent({
      factory: (origin) =>
        new Pool(origin, { connections: connectionsPerOrigin, factory: (target) => new PartnerConnection(target, connectTo) }),
    });
  }
}

/** As many as this process has slots for calls and deliveries, so that no request waits for a connection. */
const connectionsPerOrigin = endpointQueueRules.slotsOfAll + processSlots.shared + processSlots.reserve;

const bounds = {
  pipelining: 1,
  // Below 5 s, the time after which common servers close an idle connection, so that few requests meet a closing one.
  keepAliveTimeout: 3000,
  keepAliveMaxTimeout: 3000,
  // Disabled, because each call has its own deadline.
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: 16_384,
} satisfies Client.Options;

/** A request whose `connection` is set to the connection that sends it; the connection may not be open yet. */
export interface DispatchByConnection extends Dispatcher.DispatchOptions {
  connection: PartnerConnection | undefined;
}

/** One connection to a partner, and the number of requests on its current socket. */
class PartnerConnection extends Client {
  /** The number of requests begun on the open socket. */
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

  /** Must be called before a request is written. Returns whether its socket was used before. */
  begin(): boolean {
    this.answers?.expect();
    return this.begun++ > 0;
  }

  override dispatch(options: DispatchByConnection, handler: Dispatcher.DispatchHandler): boolean {
    options.connection = this;
    return super.dispatch(options, handler);
  }
}

/** The connection was not ready in time: TCP or TLS did not complete. */
class ConnectTimeout extends Error {
  constructor(readonly code: 'CONNECT_TIMEOUT' | 'TLS_TIMEOUT') {
    super('No connection in time');
  }
}

/** Creates a connector that caches one connector per port, because the guard's lookup depends on it; each caches TLS sessions. */
function guardedConnector({ guard, connectTimeoutMs }: Deps, own: ConnectionOptions): buildConnector.connector {
  const known = new Map<string, buildConnector.connector>();
  // For a name with several addresses, the next one is tried when one does not answer in time.
  const attempts = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: Math.max(10, connectTimeoutMs / 4) };
  return (options, done) => {
    const { protocol, hostname } = options;
    const port = options.port || (protocol === 'https:' ? '443' : '80');
    // Node makes no lookup for an IP address, so the address is checked here.
    if (isIP(hostname) !== 0 && !guard.allows(hostname, port, protocol)) {
      done(new AddressRefused(), null);
      return;
    }
    const key = `${protocol}${port}`;
    // Disabled, because the library's timeout has a resolution of about a second.
    const connect = known.get(key) ?? buildConnector({ ...own, ...attempts, timeout: 0, lookup: guard.lookupFor(port, protocol) });
    known.set(key, connect);
    // It returns the socket, but its type does not declare it.
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
  // Checks the address that was finally used, however it was chosen.
  socket.prependOnceListener('connect', () => {
    if (!socket.remoteAddress || !allows(socket.remoteAddress)) socket.destroy(new AddressRefused());
  });
}
