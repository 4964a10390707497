import type { Scope } from '../../../../domain/accounts/viewer';
import type { ChangeWatch, LiveChange, LiveTopic } from '../../../../domain/live/ports';
import { factsOfFault } from '../../../../domain/shared/fault';
import type { Log } from '../../../../domain/shared/ports';

/** How many may listen, and how long; counts and milliseconds. */
export const liveRules = { most: 500, mostOfAccount: 12, lookEveryMs: 1000, beatEveryMs: 15_000, lastsMs: 60_000 } as const;

/** One who listens. */
export interface Listener {
  /** Whose it is: an account, or the operator's token. */
  readonly account: string;
  readonly scope: Scope;
  /** The digest of the session by which it listens; absent: by the operator's token. */
  readonly session?: string | undefined;
  /** Something of these topics changed. */
  tell(topics: readonly LiveTopic[]): void;
  /** Sends nothing but a sign that the connection is still there. */
  beat(): void;
  /** Nothing more follows: it may connect again, unless its session is over. */
  end(why: 'lasted' | 'session-over'): void;
}

interface Deps {
  readonly watch: ChangeWatch;
  /** Of the digests of sessions those that go on. */
  readonly living: (digests: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly log: Log;
  readonly now: () => number;
}

/** Sends listeners the changes in their scope. While nobody listens nothing is read. */
export class LiveBoard {
  private readonly listeners = new Map<Listener, { readonly since: number; heardAt: number }>();
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;
  private isOver = false;

  constructor(private readonly deps: Deps) {}

  /** Whether one more may listen; if so, it gets changes from now on. */
  add(listener: Listener): boolean {
    const ofAccount = [...this.listeners.keys()].filter(({ account }) => account === listener.account).length;
    if (this.isOver || this.listeners.size >= liveRules.most || ofAccount >= liveRules.mostOfAccount) return false;
    const since = this.deps.now();
    this.listeners.set(listener, { since, heardAt: since });
    this.timer ??= setInterval(() => void this.look(), liveRules.lookEveryMs).unref();
    return true;
  }

  /** A listener that left gets nothing more. */
  remove(listener: Listener): void {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Ends every stream; nobody may listen any more. */
  stop(): void {
    this.isOver = true;
    for (const listener of [...this.listeners.keys()]) this.end(listener, 'lasted');
  }

  /** One look for all; never two at once. */
  async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      await this.endUnentitled();
      this.tell(await this.deps.watch.look());
    } catch (error) {
      this.deps.log.debug('live.look-failed', { ...factsOfFault(error) });
    } finally {
      this.isLooking = false;
    }
  }

  /** A listener whose session is over gets nothing more; while that cannot be known, nobody does. */
  private async endUnentitled(): Promise<void> {
    const bySession = [...this.listeners.keys()].filter(({ session }) => session !== undefined);
    if (bySession.length === 0) return;
    const living = await this.deps.living([...new Set(bySession.flatMap(({ session }) => session ?? []))]);
    for (const listener of bySession) if (!living.has(listener.session ?? '')) this.end(listener, 'session-over');
  }

  private tell(changes: readonly LiveChange[]): void {
    const now = this.deps.now();
    for (const [listener, times] of this.listeners) {
      const topics = [...new Set(changes.filter((change) => concerns(change, listener.scope)).map(({ topic }) => topic))];
      if (topics.length > 0) listener.tell(topics);
      else if (now - times.heardAt >= liveRules.beatEveryMs) listener.beat();
      else if (now - times.since < liveRules.lastsMs) continue;
      times.heardAt = now;
      // Who listens on comes again, and is asked again who it is.
      if (now - times.since >= liveRules.lastsMs) this.end(listener, 'lasted');
    }
  }

  private end(listener: Listener, why: Parameters<Listener['end']>[0]): void {
    this.remove(listener);
    listener.end(why);
  }
}

const concerns = (change: LiveChange, { clientId, appId }: Scope): boolean =>
  (clientId === undefined || change.clientId === clientId) && (appId === undefined || change.appId === appId);
