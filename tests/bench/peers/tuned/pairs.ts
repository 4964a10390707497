import { createSecretKey, type KeyObject } from 'node:crypto';
import { userAndPassword } from '../basic';
import type { PeerPair } from '../peer-settings';
import { Refusal } from './refusal';

/** A pair in memory, with all that does not change from call to call. */
export interface KnownPair extends PeerPair {
  readonly expectedOfHost: Buffer;
  readonly expectedOfMini: Buffer;
  /** The host app's Secret key: AES-256. */
  readonly payloadKey: Buffer;
  readonly signingKey?: KeyObject;
  /** Headers of every call to a partner. */
  readonly names: Readonly<Record<string, string>>;
}

export interface PairIds {
  readonly client_id: string;
  readonly app_id: string;
}

/** The accepted integrations, in memory. */
export class Pairs {
  private readonly known: ReadonlyMap<string, KnownPair>;

  constructor(pairs: readonly PeerPair[]) {
    this.known = new Map(pairs.map((pair) => [`${pair.clientId}|${pair.appId}`, prepared(pair)]));
  }

  /** Throws NO_INTEGRATION. */
  require({ client_id, app_id }: PairIds): KnownPair {
    const pair = this.known.get(`${client_id}|${app_id}`);
    if (!pair) throw new Refusal('NO_INTEGRATION');
    return pair;
  }

  /** The App IDs of each host app's miniapps. */
  appsByHost(): ReadonlyMap<string, readonly string[]> {
    const apps = new Map<string, string[]>();
    for (const { clientId, appId } of this.known.values()) apps.set(clientId, [...(apps.get(clientId) ?? []), appId]);
    return apps;
  }
}

function prepared(pair: PeerPair): KnownPair {
  return {
    ...pair,
    expectedOfHost: Buffer.from(pair.hostBasic),
    expectedOfMini: Buffer.from(pair.miniBasic),
    payloadKey: Buffer.from(userAndPassword(pair.hostBasic).password, 'base64url'),
    ...(pair.miniSigns && { signingKey: createSecretKey(Buffer.from(pair.miniSigns.secret)) }),
    names: { 'content-type': 'application/json', 'x-hostapp-client-id': pair.clientId, 'x-miniapp-app-id': pair.appId },
  };
}
