import http from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AddressRefused, type OutboundGuard } from './outbound-guard';

/** No connection came about in time. */
export class ConnectTimeout extends Error {
  readonly code = 'CONNECT_TIMEOUT';

  constructor() {
    super('No connection in time');
  }
}

export interface OutboundAgents {
  readonly httpAgent: http.Agent;
  readonly httpsAgent: https.Agent;
}

/** Sockets for one partner: what hangs there cannot take more. Calls beyond wait, no longer than their deadline. */
const socketsPerHost = 128;
/** Below the 5 s after which common servers close an idle connection, so that few are closed as they are used again. */
const idleMs = 4_000;

const pool: http.AgentOptions = {
  keepAlive: true,
  maxSockets: socketsPerHost,
  maxFreeSockets: socketsPerHost / 4,
  scheduling: 'lifo',
  timeout: idleMs,
};

/** Agents that keep connections alive and make none that the guard does not allow, nor wait for one beyond `connectTimeoutMs`. */
export function outboundAgents(guard: OutboundGuard, connectTimeoutMs: number): OutboundAgents {
  const httpAgent = new http.Agent(pool);
  const httpsAgent = new https.Agent(pool);
  confine(httpAgent, 'http:', guard, connectTimeoutMs);
  confine(httpsAgent, 'https:', guard, connectTimeoutMs);
  return { httpAgent, httpsAgent };
}

function confine(agent: http.Agent, protocol: string, guard: OutboundGuard, connectTimeoutMs: number): void {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, done) => {
    const host = String(options.host ?? options.hostname);
    const port = String(options.port);
    // A lookup is never called for an address: it is checked here.
    if (isIP(host) !== 0 && !guard.allows(host, port, protocol)) {
      done?.(new AddressRefused(), undefined as never);
      return undefined;
    }
    const socket = connect({ ...options, lookup: guard.lookupFor(port, protocol) });
    if (socket) watch(socket as Socket, protocol, connectTimeoutMs, (address) => guard.allows(address, port, protocol));
    return socket satisfies Duplex | null | undefined;
  };
}

function watch(socket: Socket, protocol: string, connectTimeoutMs: number, allows: (address: string) => boolean): void {
  const timer = setTimeout(() => socket.destroy(new ConnectTimeout()), connectTimeoutMs);
  socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(timer));
  socket.once('close', () => clearTimeout(timer));
  // Whatever chose the address: none that is not allowed is talked to.
  socket.once('connect', () => {
    if (!socket.remoteAddress || !allows(socket.remoteAddress)) socket.destroy(new AddressRefused());
  });
}
