import type { DataSource } from 'typeorm';
import type { CredentialValue } from '../../../domain/credentials/credential';
import type { CredentialRef, CredentialUses } from '../../../domain/credentials/ports';
import { factsOfFault } from '../../../domain/shared/fault';
import type { Clock, Log } from '../../../domain/shared/ports';
import { run, type Statement } from './statement';

/** How old a stored time must be before it is written again, in milliseconds. */
const worthWritingMs = 60_000;
const flushEveryMs = 5000;
/** Uses in one statement. */
const batchSize = 500;

const write: Statement = {
  name: 'credential-uses.write',
  // Whatever slot the value is in by now. A row that another writes this moment is left to it: two who write the same rows in
  // another order would wait for each other.
  text: `
    with used as (
      select partner_kind, partner_id, kind, fingerprint, at from json_to_recordset($1::json) as x(
        partner_kind text, partner_id text, kind text, fingerprint text, at timestamptz)
    ), due as (
      select c.partner_kind, c.partner_id, c.kind, c.slot, used.at
      from partner_credentials c join used
        on c.partner_kind = used.partner_kind and c.partner_id = used.partner_id and c.kind = used.kind and c.fingerprint = used.fingerprint
      where c.last_used_at is null or c.last_used_at <= used.at - interval '${String(worthWritingMs)} ms'
      for update of c skip locked
    )
    update partner_credentials c set last_used_at = due.at from due
    where c.partner_kind = due.partner_kind and c.partner_id = due.partner_id and c.kind = due.kind and c.slot = due.slot`,
};

interface Deps {
  readonly db: DataSource;
  readonly clock: Clock;
  readonly log: Log;
}

interface Use {
  readonly partner_kind: string;
  readonly partner_id: string;
  readonly kind: string;
  readonly fingerprint: string;
  readonly at: string;
}

/**
 * Last uses on their way to Postgres: noted in memory, at most one a minute for each value, and written together
 * every five seconds. A stored time is thus up to a minute older than the last use. What cannot be written waits.
 */
export class PostgresCredentialUses implements CredentialUses {
  /** Until when (milliseconds since the epoch) another use of the value tells nothing new. Values that are replaced go by themselves. */
  private readonly quietUntil = new WeakMap<CredentialValue, number>();
  /** By partner, kind and fingerprint: no more than there are stored values. */
  private readonly pending = new Map<string, Use>();
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> | undefined;

  constructor(private readonly deps: Deps) {}

  used({ partner, id, kind, value }: CredentialRef): void {
    const now = this.deps.clock.now();
    if (now < (this.quietUntil.get(value) ?? (value.lastUsedAt ?? -worthWritingMs) + worthWritingMs)) return;
    this.quietUntil.set(value, now + worthWritingMs);
    const { fingerprint } = value;
    const use = { partner_kind: partner, partner_id: id, kind, fingerprint, at: new Date(now).toISOString() };
    this.pending.set(JSON.stringify([partner, id, kind, fingerprint]), use);
    this.timer ??= setTimeout(() => void this.flush(), flushEveryMs).unref();
  }

  /** Writes the noted uses. Never two at once, never fails. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushing ??= this.writePending().finally(() => {
      this.flushing = undefined;
      if (this.pending.size > 0) this.timer ??= setTimeout(() => void this.flush(), flushEveryMs).unref();
    });
    return this.flushing;
  }

  /** Writes the rest. */
  async close(): Promise<void> {
    await this.flushing;
    await this.flush();
    clearTimeout(this.timer);
  }

  private async writePending(): Promise<void> {
    const uses = [...this.pending];
    for (let at = 0; at < uses.length; at += batchSize) {
      const part = uses.slice(at, at + batchSize);
      try {
        await run(this.deps.db, write, [JSON.stringify(part.map(([, use]) => use))]);
        for (const [name, use] of part) if (this.pending.get(name) === use) this.pending.delete(name);
      } catch (error) {
        this.deps.log.warn('credential-uses.delayed', { count: uses.length - at, ...factsOfFault(error) });
        return;
      }
    }
  }
}
