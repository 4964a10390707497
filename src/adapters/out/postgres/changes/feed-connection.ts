import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { ServerAddress } from '../connection/server-address';
import { sessionStatement } from '../connection/session-settings';

/** The channel that the trigger `notify_partner_change` notifies. */
export const channel = 'pierhead_changes';
/** The channel on which an instance announces due deliveries to the others. */
export const deliveriesChannel = 'pierhead_deliveries';

/** A notification and its channel. */
export interface Notice {
  readonly channel: string;
  readonly payload: string;
}

const connectWithinMs = 2000;
const answerWithinMs = 1000;
const closeWithinMs = 500;

// Checks that this session still listens, because a pooler may replace the session behind an open connection, and that the triggers still
// exist and are enabled.
const ping = `
  select 1 from pg_listening_channels() as listening where listening = '${channel}' and 4 = (
    select count(*) from pg_trigger
    where tgrelid in ('host_apps'::regclass, 'miniapps'::regclass, 'partner_credentials'::regclass, 'integrations'::regclass)
      and tgname like '%\\_notify\\_change' and tgenabled in ('O', 'A')
  )`;

interface FeedConnectionOptions {
  readonly address: ServerAddress;
  readonly onNotice: (notice: Notice) => void;
  /** When aborted, the connection closes, even while it is opening. */
  readonly until: AbortSignal;
}

/** A connection outside the pool that listens for changed partners and due deliveries. */
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

  /** Aborted when the connection has ended, whichever side ended it. */
  get lost(): AbortSignal {
    return this.gone.signal;
  }

  /** Resolves when the session listens. Rejects with the driver's error, within three seconds. */
  async open(): Promise<void> {
    await this.session.connect().catch((error: unknown) => {
      // The next connection tries the other TLS mode, if there is one.
      this.options.address.turn(error);
      throw error;
    });
    this.isOpen = true;
    await this.session.query(`${sessionStatement('serving')}; listen ${channel}; listen ${deliveriesChannel}`);
  }

  /**
   * Resolves when the server has answered; then every change committed before the call has been received. Rejects within a second when the
   * server does not answer, when the session no longer listens, or when the tables do not publish their changes.
   */
  async ping(): Promise<void> {
    const { rowCount } = await this.session.query(ping);
    if (rowCount !== 1) throw new Error('Changes are not told to this session');
  }

  /** Never rejects, and takes at most half a second, even without an answer. */
  async close(): Promise<void> {
    const patience = new AbortController();
    await Promise.race([this.session.end(), pause(closeWithinMs, undefined, patience)]).catch(() => undefined);
    patience.abort();
    this.socket.destroy();
  }

  /** In the driver, a connect whose socket ends cleanly never settles; one whose socket is destroyed rejects. */
  private async stop(): Promise<void> {
    if (this.isOpen) await this.close();
    else this.socket.destroy();
  }
}
