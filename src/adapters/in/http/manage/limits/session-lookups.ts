/** Maximum concurrent lookups of one session. */
export const maxLookups = 4;

interface Lookups {
  running: number;
  readonly waiting: (() => void)[];
}

/** Limits concurrent lookups of the same session, so that parallel calls of one page do not take all database connections. */
export class SessionLookups {
  private readonly sessions = new Map<string, Lookups>();

  /** Runs `lookup` when a slot is free. Throws what it throws. */
  async run<T>(token: string, lookup: () => Promise<T>): Promise<T> {
    const lookups = this.sessions.get(token) ?? { running: 0, waiting: [] };
    this.sessions.set(token, lookups);
    if (lookups.running < maxLookups) lookups.running++;
    else await new Promise<void>((go) => lookups.waiting.push(go));
    try {
      return await lookup();
    } finally {
      this.end(token, lookups);
    }
  }

  private end(token: string, lookups: Lookups): void {
    // The slot passes directly to the next waiting lookup, so that a new one cannot take it first.
    const next = lookups.waiting.shift();
    if (next) next();
    else if (--lookups.running === 0) this.sessions.delete(token);
  }
}
