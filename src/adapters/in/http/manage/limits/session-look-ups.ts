/** Look-ups of one session that run at once. */
export const maxLookUps = 4;

interface LookUps {
  running: number;
  readonly waiting: (() => void)[];
}

/** Lets few look-ups of the same session run at once, so that calls that come together do not take all connections to the database. */
export class SessionLookUps {
  private readonly sessions = new Map<string, LookUps>();

  /** Does `lookUp` when it is its turn. Throws what it throws. */
  async run<T>(token: string, lookUp: () => Promise<T>): Promise<T> {
    const lookUps = this.sessions.get(token) ?? { running: 0, waiting: [] };
    this.sessions.set(token, lookUps);
    if (lookUps.running < maxLookUps) lookUps.running++;
    else await new Promise<void>((go) => lookUps.waiting.push(go));
    try {
      return await lookUp();
    } finally {
      this.end(token, lookUps);
    }
  }

  private end(token: string, lookUps: LookUps): void {
    // The turn is handed over, so that none comes in between.
    const next = lookUps.waiting.shift();
    if (next) next();
    else if (--lookUps.running === 0) this.sessions.delete(token);
  }
}
