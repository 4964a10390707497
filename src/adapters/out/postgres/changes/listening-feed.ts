import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { errorFields } from '../../../../domain/shared/fault';
import type { Log } from '../../../../domain/shared/ports';
import { SoleWriterFeed, type DirectoryChange, type PartnerFeed } from './change-feed';
import type { ServerAddress } from '../connection/server-address';
import { directAddressOf } from '../connection/data-source';
import { channel, FeedConnection, type Notice } from './feed-connection';
import { run, type Statement } from '../connection/statement';

interface Deps {
  readonly db: DataSource;
  /** The address of the database of `db`, for the feed's own connection. */
  readonly address: ServerAddress;
  readonly log: Log;
  /** A monotonic clock in milliseconds, the same one as the directory's. Defaults to the process clock. */
  readonly now?: () => number;
}

/**
 * The feed covers records while its last proof is younger than this, in milliseconds. It limits how long a revoked credential still works.
 */
const ceilingMs = 1000;
const pingEveryMs = 250;
const probeTimeoutMs = 1000;
const firstRestMs = 100;
const longestRestMs = 2000;
/** The pause between two checks whether notices arrive, in milliseconds. */
const blockedRestMs = 30_000;

const notify: Statement = { name: 'change-feed.notify', text: 'select pg_notify($1, $2)' };

/** The connection works, but notices from other connections do not reach it. */
class NoticesBlocked extends Error {}

/**
 * Receives the changes of all instances through Postgres. An answered ping proves that every change committed before the ping has arrived.
 * While the connection is down, no record older than a second is covered; after a reconnect, no record read before it. Reconnects without
 * limit.
 */
export class ListeningFeed implements PartnerFeed {
  private listeningSince = Infinity;
  private provenAt = -Infinity;
  private onChange: (change: DirectoryChange) => void = () => undefined;
  private onDue: () => void = () => undefined;
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private readonly now: () => number;
  /** The resolver of each probe that was sent. */
  private readonly awaited = new Map<string, () => void>();
  private failures = 0;

  constructor(private readonly deps: Deps) {
    this.now = deps.now ?? (() => performance.now());
  }

  covers(readAt: number): boolean {
    return readAt >= this.listeningSince && this.now() - this.provenAt < ceilingMs;
  }

  start(onChange: (change: DirectoryChange) => void, onDue: () => void = () => undefined): void {
    this.onChange = onChange;
    this.onDue = onDue;
    this.running = this.run();
  }

  publish(change: DirectoryChange): void {
    this.onChange(change);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) await this.follow().catch((error: unknown) => (signal.aborted ? undefined : this.rest(error)));
  }

  /** Listens until the connection is lost, then rejects. */
  private async follow(): Promise<never> {
    const onNotice = (notice: Notice): void => {
      this.handle(notice);
    };
    const connection = new FeedConnection({ address: this.deps.address, onNotice, until: this.stopping.signal });
    try {
      await connection.open();
      const since = this.now();
      await this.requireNotices();
      this.listeningSince = since;
      await this.prove(connection);
      this.failures = 0;
      this.deps.log.info('change-feed-live');
      for (;;) {
        await pause(pingEveryMs, undefined, { signal: connection.lost });
        await this.prove(connection);
      }
    } finally {
      await connection.close();
    }
  }

  private async prove(connection: FeedConnection): Promise<void> {
    const sentAt = this.now();
    await connection.ping();
    this.provenAt = sentAt;
  }

  /**
   * Sends a probe over the pool and waits for its notice. Pings start afterwards: a pooler would assign a session for each ping, and that
   * session would receive the notices.
   */
  private async requireNotices(): Promise<void> {
    const probe = JSON.stringify(randomUUID());
    const patience = new AbortController();
    const received = new Promise<void>((resolve) => this.awaited.set(probe, resolve));
    try {
      await run(this.deps.db, notify, [channel, probe]);
      const tooLate = pause(probeTimeoutMs, undefined, patience).then(() => {
        throw new NoticesBlocked();
      });
      await Promise.race([received, tooLate]);
    } finally {
      patience.abort();
      this.awaited.delete(probe);
    }
  }

  private handle({ channel: where, payload }: Notice): void {
    if (where !== channel) {
      this.onDue();
      return;
    }
    const notice = parsed(payload);
    if (typeof notice === 'string') this.awaited.get(payload)?.();
    else this.onChange(changeFrom(notice));
  }

  private async rest(error: unknown): Promise<void> {
    const { log } = this.deps;
    const isBlocked = error instanceof NoticesBlocked;
    const fields = { ...errorFields(error), failures: ++this.failures };
    if (this.failures > 1) log.debug('change-feed-away', fields);
    else if (isBlocked) log.warn('change-feed-blocked', { hint: 'notices do not come through, as behind a pooler in transaction mode' });
    else log.warn('change-feed-lost', fields);
    const restMs = isBlocked ? blockedRestMs : Math.min(longestRestMs, firstRestMs * 2 ** (this.failures - 1));
    await pause(restMs, undefined, this.stopping).catch(() => undefined);
  }
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

/** Reads a notice that the migration's database function sent. An unknown notice counts as a change of anything. */
function changeFrom(notice: unknown): DirectoryChange {
  if (!Array.isArray(notice) || notice.length !== 2) return 'anything';
  const [clientId, appId] = notice as unknown[];
  if (typeof clientId === 'string' && typeof appId === 'string') return { clientId, appId };
  if (typeof clientId === 'string') return { clientId };
  return typeof appId === 'string' ? { appId } : 'anything';
}

/** Selects the feed for the database. The embedded database has a single writer and needs no notices. */
export function partnerFeedOf(deps: Pick<Deps, 'db' | 'log'>): PartnerFeed {
  const address = directAddressOf(deps.db);
  return address ? new ListeningFeed({ ...deps, address }) : new SoleWriterFeed();
}
