import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A host app and a miniapp that are integrated, with what each proves itself with. */
export interface PeerPair {
  readonly clientId: string;
  readonly appId: string;
  /** The `Authorization` header of the host app, and of the miniapp. */
  readonly hostBasic: string;
  readonly miniBasic: string;
  /** How the miniapp signs, by HMAC with SHA-256; absent: it does not sign. */
  readonly miniSigns?: { readonly secret: string; readonly apiClientId: string };
}

/** What a peer is started with. */
export interface PeerSettings {
  readonly databaseUrl: string;
  /** Where the stub answers for all partners. */
  readonly partnersUrl: string;
  /** What stands before the path in the URL that callers sign. */
  readonly publicBase: string;
  readonly pairs: readonly PeerPair[];
}

/** A peer that accepts calls. */
export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** Keep-alive connections to partners that a peer has at most. */
export const maxPartnerConnections = 256;
/** Connections to the database that a peer has at most. */
export const databaseConnections = 20;

/** Listens on a free port of loopback. */
export async function listening(server: Server): Promise<Listening> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** Throws where there is no pair. */
export function firstPair({ pairs }: PeerSettings): PeerPair {
  const [pair] = pairs;
  if (!pair) throw new Error('A peer needs a pair of partners');
  return pair;
}
