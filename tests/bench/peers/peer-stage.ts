import { join } from 'node:path';
import { SigningPartner } from '../../support/signatures/signing-partner';
import { openBareDatabase } from '../../support/postgres/database';
import type { BenchPair } from '../bench-partners';
import { publicBase } from '../bench-service';
import { asPeerPair } from '../calls/peer';
import { end, startListening } from '../child-process';
import type { PreparedRequest } from '../calls/prepared-calls';
import type { Listening, PeerSettings } from './peer-settings';

const signer = SigningPartner.withSecret('a secret of more than thirty-two bytes');
const hostSecret = Buffer.alloc(32, 7).toString('base64url');
const basicOf = (user: string): string => `Basic ${Buffer.from(`${user}:${hostSecret}`).toString('base64')}`;

const pairOf = (clientId: string, appId: string): BenchPair => ({
  ...{ clientId, appId, hostSecret, hostBasic: basicOf(clientId), miniBasic: basicOf(appId) },
});

/** Partners that are integrated at the peer; the miniapp of `payments` signs. */
export const pairs = { basic: pairOf('host_a', 'app_a'), payments: { ...pairOf('host_b', 'app_b'), miniSigns: signer } };

/** A peer in this process, with a database of its own and the benchmark's partners. */
export async function openPeerStage(listen: (settings: PeerSettings) => Promise<Listening>) {
  const database = await openBareDatabase();
  const stub = await startListening(join(__dirname, '../stub-partners.cjs'));
  if (database.target.kind !== 'postgres') throw new Error('Peers need Postgres');
  const settings = { databaseUrl: database.target.url, partnersUrl: stub.url, publicBase };
  const peer = await listen({ ...settings, pairs: [pairs.basic, pairs.payments].map(asPeerPair) });
  return {
    stub,
    db: database.db,
    /** Sends one request; resolves to its status, headers and JSON. */
    send: async ({ method, path, headers, body }: PreparedRequest) => {
      const init = { method, headers, ...(method === 'POST' && { body }) };
      const answer = await fetch(`http://127.0.0.1:${peer.port}${path}`, init);
      return { status: answer.status, headers: answer.headers, json: await answer.json() };
    },
    close: async (): Promise<void> => {
      await peer.close();
      await end(stub.child);
      await database.close();
    },
  };
}
