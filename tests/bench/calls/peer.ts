import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { BenchPair, BenchPairs } from '../bench-partners';
import { publicBase } from '../bench-service';
import { end, startListening } from '../child-process';
import type { PeerName } from '../page/figures';
import type { PeerPair, PeerSettings } from '../peers/peer-settings';
import type { Side } from '../side';
import type { Stage, Surroundings } from '../stage';

/** A hand-written server that does the same work: one process, with a schema of its own in the service's database. */
export class Peer implements Side {
  private constructor(
    readonly url: string,
    readonly pairs: BenchPairs,
    readonly context: Surroundings,
    readonly loaded: Stage['loaded'],
    private readonly child: ChildProcess,
  ) {}

  static async start(name: PeerName, { context, database, loaded, pairs }: Stage): Promise<Peer> {
    const settings: PeerSettings = {
      ...{ databaseUrl: database.url, partnersUrl: context.stub.url, publicBase },
      pairs: [pairs.basic, pairs.payments].map(asPeerPair),
    };
    const env = { PATH: process.env['PATH'], NODE_ENV: 'production', PEER_SETTINGS: JSON.stringify(settings) };
    const { child, url } = await startListening(join(__dirname, '../peers/start.cjs'), [name], env);
    return new Peer(url, pairs, context, { ...loaded, pid: child.pid ?? 0 }, child);
  }

  complaints(): Promise<ReadonlyMap<string, number>> {
    return Promise.resolve(new Map());
  }

  stop(): Promise<void> {
    return end(this.child);
  }
}

/** The facts about a pair for a peer. */
export function asPeerPair({ clientId, appId, hostBasic, miniBasic, miniSigns }: BenchPair): PeerPair {
  const ids = { clientId, appId, hostBasic, miniBasic };
  if (!miniSigns) return ids;
  const { agreed, handedOver } = miniSigns;
  return { ...ids, miniSigns: { secret: handedOver['hmac_secret'] ?? '', apiClientId: agreed.api_client_id ?? '' } };
}
