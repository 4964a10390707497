import type { DataSource } from 'typeorm';
import type { CredentialValue } from '../../../../domain/credentials/credential';
import type { CredentialRef, CredentialUseLog } from '../../../../domain/credentials/ports';
import { errorFields } from '../../../../domain/shared/fault';
import type { Clock, Log } from '../../../../domain/shared/ports';
import { run, type Statement } from '../connection/statement';

/** How old a stored time must be before it is written again, in milliseconds. */
const worthWritingMs = 60_000;
const flushEveryMs = 5000;
const batchSize = 500;

const write: Statement = {
  name: 'credential-uses.write',
  // Updates the value in whichever slot it is now. Skips rows that another transaction is writing: two writers with different orders would
  // deadlock.
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
 * Records last uses in memory, at most one per minute and value, and writes them together every five seconds. A stored time may be up to a
 * minute older than the last use. Keeps uses that cannot be written and tries again.
 */
export class PostgresCredentialUseLog implements CredentialUseLog {
  /** The time (milliseconds since the epoch) until which another use of the value needs no write. Replaced values are garbage-collected. */
  private readonly nextWriteAt = new WeakMap<CredentialValue, number>();
  /** Keyed by partner, kind and fingerprint, so it holds no more entries than there are stored values. */
  private readonly pending = new Map<string, Use>();
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> | undefined;

  constructor(private readonly deps: Deps) {}

  used({ partner, id, kind, value }: CredentialRef): void {
    const now = this.deps.clock.now();
    if (now < (this.nextWriteAt.get(value) ?? (value.lastUsedAt ?? -worthWritingMs) + worthWritingMs)) return;
    this.nextWriteAt.set(value, now + worthWritingMs);
    const { fingerprint } = value;
    const use = { partner_kind: partner, partner_id: id, kind, fingerprint, at: new Date(now).toISOString() };
    this.pending.set(JSON.stringify([partner, id, kind, fingerprint]), use);
    this.timer ??= setTimeout(() => void this.flush(), flushEveryMs).unref();
  }

  /** Writes the recorded uses. Concurrent calls share one flush. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushing ??= this.writePending().finally(() => {
      this.flushing = undefined;
      if (this.pending.size > 0) this.timer ??= setTimeout(() => void this.flush(), flushEveryMs).unref();
    });
    return this.flushing;
  }

  /** Writes the remaining uses. */
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
        this.deps.log.warn('credential-uses.delayed', { count: uses.length - at, ...errorFields(error) });
        return;
      }
    }
  }
}
