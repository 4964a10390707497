import type { Scope } from '../../../../../domain/accounts/viewer';
import type { ChangeReader, LiveChange, LiveTopic } from '../../../../../domain/live/ports';
import { errorFields } from '../../../../../domain/shared/fault';
import type { Log } from '../../../../../domain/shared/ports';

/** Limits of the event stream: counts and milliseconds. */
export const liveRules = { maxListeners: 500, maxPerAccount: 12, pollEveryMs: 1000, beatEveryMs: 15_000, lastsMs: 60_000 } as const;

/** One open event stream. */
export interface Listener {
  /** The owner: an account, or the operator's token. */
  readonly account: string;
  readonly scope: Scope;
  /** Digest of the listener's session. Absent with the operator's token. */
  readonly session?: string | undefined;
  /** Sends that records of these topics changed. */
  send(topics: readonly LiveTopic[]): void;
  /** Sends a keep-alive without content. */
  beat(): void;
  /** Ends the stream. The client may reconnect unless its session is over. */
  end(why: 'lasted' | 'session-over'): void;
}

interface Deps {
  readonly watch: ChangeReader;
  /** Resolves to those of the session digests that are still valid. */
  readonly living: (digests: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly log: Log;
  readonly now: () => number;
}

/** Sends listeners the changes in their scope. Without listeners it reads nothing. */
export class EventStreamHub {
  private readonly listeners = new Map<Listener, { readonly since: number; lastSentAt: number }>();
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;
  private isOver = false;

  constructor(private readonly deps: Deps) {}

  /** Adds a listener, who gets changes from now on. Returns false when there are too many. */
  add(listener: Listener): boolean {
    const ofAccount = [...this.listeners.keys()].filter(({ account }) => account === listener.account).length;
    if (this.isOver || this.listeners.size >= liveRules.maxListeners || ofAccount >= liveRules.maxPerAccount) return false;
    const since = this.deps.now();
    this.listeners.set(listener, { since, lastSentAt: since });
    this.timer ??= setInterval(() => void this.poll(), liveRules.pollEveryMs).unref();
    return true;
  }

  /** Removes a listener; it gets nothing more. */
  remove(listener: Listener): void {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Ends every stream and accepts no more listeners. */
  stop(): void {
    this.isOver = true;
    for (const listener of [...this.listeners.keys()]) this.end(listener, 'lasted');
  }

  /** Polls once for all listeners; two polls never overlap. */
  async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    try {
      await this.endUnentitled();
      this.publish(await this.deps.watch.poll());
    } catch (error) {
      this.deps.log.debug('live.poll-failed', { ...errorFields(error) });
    } finally {
      this.isPolling = false;
    }
  }

  /** Ends streams whose session is over. While sessions cannot be checked, no listener gets anything. */
  private async endUnentitled(): Promise<void> {
    const bySession = [...this.listeners.keys()].filter(({ session }) => session !== undefined);
    if (bySession.length === 0) return;
    const living = await this.deps.living([...new Set(bySession.flatMap(({ session }) => session ?? []))]);
    for (const listener of bySession) if (!living.has(listener.session ?? '')) this.end(listener, 'session-over');
  }

  private publish(changes: readonly LiveChange[]): void {
    const now = this.deps.now();
    for (const [listener, times] of this.listeners) {
      const topics = [...new Set(changes.filter((change) => concerns(change, listener.scope)).map(({ topic }) => topic))];
      if (topics.length > 0) listener.send(topics);
      else if (now - times.lastSentAt >= liveRules.beatEveryMs) listener.beat();
      else if (now - times.since < liveRules.lastsMs) continue;
      times.lastSentAt = now;
      // The client reconnects if it still listens, and authenticates again.
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
