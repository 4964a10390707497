import type { DataSource } from 'typeorm';
import type { Exchange } from '../../../../domain/exchanges/exchange';
import type { ExchangeLog } from '../../../../domain/exchanges/ports';
import type { Log } from '../../../../domain/shared/ports';
import { exchangeToRow } from './exchange.schema';
import { run, type Statement } from '../connection/statement';

const insert: Statement = {
  name: 'exchanges.insert',
  // A batch whose answer was lost is written again; the ids prevent duplicates.
  text: `
    insert into exchanges (id, request_id, call, client_id, app_id, reference, at, ms, status, error_code, failed_side, failed_step, checks, legs,
      refused_check, refused_of, part_of)
    select id, request_id, call, client_id, app_id, reference, at, ms, status, error_code, failed_side, failed_step, checks, legs,
      refused_check, refused_of, part_of
    from json_to_recordset($1::json) as x(
      id text, request_id text, call text, client_id text, app_id text, reference text, at timestamptz, ms integer, status integer,
      error_code text, failed_side text, failed_step text, checks text[], legs jsonb, refused_check text,
      refused_of text, part_of text)
    on conflict (id) do nothing`,
};

const flushWithinMs = 250;
/** A buffer of this size is flushed at once: building a batch of hundreds would block the event loop for milliseconds. */
const flushFrom = 64;
/** The maximum number of records in one statement. */
const batchSize = 500;
const bufferSize = 10_000;
const longestPauseMs = 5000;

/** A record to write, with its row as JSON. */
interface Waiting {
  readonly id: string;
  readonly row: string;
}

interface Deps {
  readonly db: DataSource;
  readonly log: Log;
}

/**
 * Buffers exchange records and writes them to Postgres in batches, outside the calls: at most 250 ms after the first record, and at once
 * from 64 records on. While the database is unavailable, 10,000 records are kept; beyond that the oldest are dropped, counted and logged.
 */
export class PostgresExchangeLog implements ExchangeLog {
  private readonly buffer: Waiting[] = [];
  private dropped = 0;
  /** The number of records dropped since the start, by overflow or by the database. */
  private lost = 0;
  /** The number of failed flushes in a row. */
  private failures = 0;
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> | undefined;

  constructor(private readonly deps: Deps) {}

  append(exchange: Exchange): void {
    // JSON text takes little memory while it waits and holds no reference to the call.
    this.buffer.push({ id: exchange.id, row: JSON.stringify(exchangeToRow(exchange)) });
    this.dropOldest();
    // After a failure, only the timer starts the next attempt.
    if (this.buffer.length >= flushFrom && this.failures === 0) void this.flush();
    else this.scheduleFlush();
  }

  /** The number of buffered records and of lost ones. */
  figures(): { readonly waiting: number; readonly lost: number } {
    return { waiting: this.buffer.length, lost: this.lost };
  }

  /**
   * Writes the buffered records. Concurrent calls share one flush. Never rejects: while the database is unavailable, the records stay
   * buffered.
   */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushing ??= this.drain().finally(() => {
      this.flushing = undefined;
      if (this.buffer.length > 0) this.scheduleFlush();
    });
    return this.flushing;
  }

  /** Writes the remaining records. Counts and logs those that the database no longer accepts. */
  async close(): Promise<void> {
    await this.flushing;
    await this.flush();
    clearTimeout(this.timer);
    if (this.buffer.length > 0) this.deps.log.error('exchanges.lost', { count: this.buffer.length });
  }

  private scheduleFlush(): void {
    if (this.flushing) return;
    const pauseMs = Math.min(flushWithinMs * 2 ** this.failures, longestPauseMs);
    this.timer ??= setTimeout(() => void this.flush(), pauseMs).unref();
  }

  private async drain(): Promise<void> {
    if (this.dropped > 0) this.deps.log.warn('exchanges.dropped', { count: this.dropped });
    this.dropped = 0;
    try {
      // Records added meanwhile wait for the next flush, which makes its batches larger. A batch is removed from the buffer before it is
      // written, so an overflow cannot drop its records.
      for (let left = this.buffer.length; left > 0; left -= batchSize) await this.write(this.buffer.splice(0, Math.min(left, batchSize)));
      this.failures = 0;
    } catch (error) {
      this.failures++;
      this.deps.log.warn('exchanges.delayed', { count: this.buffer.length, exception: nameOf(error) });
    }
  }

  /** Halves a batch that the database refuses until the one bad record is found, and drops that record. */
  private async write(batch: Waiting[]): Promise<void> {
    const batches = [batch];
    for (let next = batches.shift(); next; next = batches.shift()) {
      try {
        await run(this.deps.db, insert, [`[${next.map(({ row }) => row).join(',')}]`]);
      } catch (error) {
        if (!isAboutContent(error)) {
          this.buffer.unshift(...next, ...batches.flat());
          this.dropOldest();
          throw error;
        }
        const half = next.length >> 1;
        if (half === 0) {
          this.lost++;
          this.deps.log.error('exchanges.refused', { exchange: next[0]!.id, exception: nameOf(error) });
        } else batches.unshift(next.slice(0, half), next.slice(half));
      }
    }
  }

  private dropOldest(): void {
    const over = this.buffer.length - bufferSize;
    if (over <= 0) return;
    this.buffer.splice(0, over);
    this.dropped += over;
    this.lost += over;
  }
}

/** SQLSTATE classes 22 and 23: a value does not fit its column. */
const isAboutContent = (error: unknown): boolean => /^2[23]/.test(String((error as { code?: unknown }).code));

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
