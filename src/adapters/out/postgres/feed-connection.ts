import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { ServerAddress } from './connection/server-address';
import { sessionStatement } from './connection/session-settings';

/** The channel of migration 1767225610000. */
export const channel = 'pierhead_changes';
/** On which an instance says that others may have something to deliver. */
export const deliveriesChannel = 'pierhead_deliveries';

/** What came, and on which of the two channels. */
export interface Notice {
  readonly channel: string;
  readonly payload: string;
}

const connectWithinMs = 2000;
const answerWithinMs = 1000;
const closeWithinMs = 500;

// Listening is asked for, as a pooler may put another session behind a connection that stays; telling too, as it may be migrated
// away or turned off.
const ping = `
  select 1 from pg_listening_channels() as listening where listening = '${channel}' and 4 = (
    select count(*) from pg_trigger
    where tgrelid in ('host_apps'::regclass, 'miniapps'::regclass, 'partner_credentials'::regclass, 'integrations'::regclass)
      and tgname like '%\\_tell\\_change' and tgenabled in ('O', 'A')
  )`;

interface FeedConnectionOptions {
  readonly address: ServerAddress;
  readonly onNotice: (notice: Notice) => void;
  /** Aborted: the connection closes, even while it opens. */
  readonly until: AbortSignal;
}

/** A connection outside the pool that listens for changes of partners, and for due deliveries. */
export class FeedConnection {
  private readonly socket = new Socket();
  private readonly gone = new AbortController();
  private readonly session: pg.Client;
  private isOpen = false;

  constructor(private readonly options: FeedConnectionOptions) {
    const { address, onNotice, until } = options;
    this.session = new pg.Client({
      ...address.config,
      application_name: 'pierhead-feed',
      connectionTimeoutMillis: connectWithinMs,
      query_timeout: answerWithinMs,
      keepAlive: true,
      stream: () => this.socket,
    });
    this.session.on('notification', ({ channel: where, payload = '' }) => {
      onNotice({ channel: where, payload });
    });
    const lost = (): void => {
      this.gone.abort();
    };
    this.session.on('error', lost);
    this.session.on('end', lost);
    until.addEventListener('abort', () => void this.stop(), { once: true, signal: this.lost });
  }

  /** Aborted when the connection has ended, whoever ended it. */
  get lost(): AbortSignal {
    return this.gone.signal;
  }

  /** Resolves when the server listens for us; rejects with the driver's error, within three seconds. */
  async open(): Promise<void> {
    await this.session.connect().catch((error: unknown) => {
      // The next connection tries the other way of TLS, where there is one.
      this.options.address.turn(error);
      throw error;
    });
    this.isOpen = true;
    await this.session.query(`${sessionStatement('serving')}; listen ${channel}; listen ${deliveriesChannel}`);
  }

  /**
   * Resolves when the server has answered: then all that was committed before the call has been told. Rejects within a second
   * where it does not answer, where the session does not listen any more, or where the tables do not tell their changes.
   */
  async ping(): Promise<void> {
    const { rowCount } = await this.session.query(ping);
    if (rowCount !== 1) throw new Error('Changes are not told to this session');
  }

  /** Never fails, and takes no longer than half a second, even where nobody answers. */
  async close(): Promise<void> {
    const patience = new AbortController();
    await Promise.race([this.session.end(), pause(closeWithinMs, undefined, patience)]).catch(() => undefined);
    patience.abort();
    this.socket.destroy();
  }

  /** A connect whose socket ends cleanly never settles in the driver; one whose socket is destroyed rejects. */
  private async stop(): Promise<void> {
    if (this.isOpen) await this.close();
    else this.socket.destroy();
  }
}
