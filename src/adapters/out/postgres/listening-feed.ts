import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { factsOfFault } from '../../../domain/shared/fault';
import type { Log } from '../../../domain/shared/ports';
import { SoleWriterFeed, type DirectoryChange, type PartnerFeed } from './change-feed';
import type { ServerAddress } from './connection/server-address';
import { directAddressOf } from './data-source';
import { channel, FeedConnection, type Notice } from './feed-connection';
import { run, type Statement } from './statement';

interface Deps {
  readonly db: DataSource;
  /** The database of `db`, for a connection of our own. */
  readonly address: ServerAddress;
  readonly log: Log;
  /** Milliseconds that only rise, the same that the directory goes by; the process clock where absent. */
  readonly now?: () => number;
}

/** Proof of less than this age is enough; it is the ceiling of a revocation. */
const ceilingMs = 1000;
const pingEveryMs = 250;
const heardWithinMs = 1000;
const firstRestMs = 100;
const longestRestMs = 2000;
/** Between two looks at whether notices come through after all. */
const unheardRestMs = 30_000;

const notify: Statement = { name: 'change-feed.notify', text: 'select pg_notify($1, $2)' };

/** The connection is there, but notices from another one do not come through it. */
class Unheard extends Error {}

/**
 * Hears of every change through Postgres, whichever instance made it. An answered ping proves that all that was committed
 * before it was sent has been told. While the connection is away or hangs, nothing is covered that is older than a second;
 * when it is back, nothing that was read before. Connects again for ever.
 */
export class ListeningFeed implements PartnerFeed {
  private listeningSince = Infinity;
  private provenAt = -Infinity;
  private onChange: (change: DirectoryChange) => void = () => undefined;
  private onDue: () => void = () => undefined;
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private readonly now: () => number;
  /** What we told ourselves, and who waits to hear it. */
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

  tell(change: DirectoryChange): void {
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

  /** Listens until the connection is lost, and rejects then. */
  private async follow(): Promise<never> {
    const onNotice = (notice: Notice): void => {
      this.hear(notice);
    };
    const connection = new FeedConnection({ address: this.deps.address, onNotice, until: this.stopping.signal });
    try {
      await connection.open();
      const since = this.now();
      await this.requireHeard();
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

  /** Tells ourselves something over the pool. Pings have not begun: with each a pooler would lend us a session to hear it on. */
  private async requireHeard(): Promise<void> {
    const probe = JSON.stringify(randomUUID());
    const patience = new AbortController();
    const heard = new Promise<void>((resolve) => this.awaited.set(probe, resolve));
    try {
      await run(this.deps.db, notify, [channel, probe]);
      const tooLate = pause(heardWithinMs, undefined, patience).then(() => {
        throw new Unheard();
      });
      await Promise.race([heard, tooLate]);
    } finally {
      patience.abort();
      this.awaited.delete(probe);
    }
  }

  private hear({ channel: where, payload }: Notice): void {
    if (where !== channel) {
      this.onDue();
      return;
    }
    const told = parsed(payload);
    if (typeof told === 'string') this.awaited.get(payload)?.();
    else this.onChange(changeFrom(told));
  }

  private async rest(error: unknown): Promise<void> {
    const { log } = this.deps;
    const unheard = error instanceof Unheard;
    const facts = { ...factsOfFault(error), failures: ++this.failures };
    if (this.failures > 1) log.debug('change-feed-away', facts);
    else if (unheard) log.warn('change-feed-unheard', { hint: 'notices do not come through, as behind a pooler in transaction mode' });
    else log.warn('change-feed-lost', facts);
    const restMs = unheard ? unheardRestMs : Math.min(longestRestMs, firstRestMs * 2 ** (this.failures - 1));
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

/** What a notice of the migration's function means; one that is not understood may mean anything. */
function changeFrom(told: unknown): DirectoryChange {
  if (!Array.isArray(told) || told.length !== 2) return 'anything';
  const [clientId, appId] = told as unknown[];
  if (typeof clientId === 'string' && typeof appId === 'string') return { clientId, appId };
  if (typeof clientId === 'string') return { clientId };
  return typeof appId === 'string' ? { appId } : 'anything';
}

/** The feed that suits the database: the embedded one has nobody to listen to. */
export function partnerFeedOf(deps: Pick<Deps, 'db' | 'log'>): PartnerFeed {
  const address = directAddressOf(deps.db);
  return address ? new ListeningFeed({ ...deps, address }) : new SoleWriterFeed();
}
