import type { DataSource } from 'typeorm';
import type { Exchange } from '../../../domain/exchanges/exchange';
import type { ExchangeLog } from '../../../domain/exchanges/ports';
import type { Log } from '../../../domain/shared/ports';
import { exchangeToRow } from './exchange.schema';
import { run, type Statement } from './statement';

const insert: Statement = {
  name: 'exchanges.insert',
  // A batch whose answer was lost is written again: its ids tell.
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
/** From so many on a batch leaves at once: one of hundreds would hold the event loop for milliseconds while it is put together. */
const flushFrom = 64;
/** Records in one statement at most. */
const batchSize = 500;
const bufferSize = 10_000;
const longestPauseMs = 5000;

/** A record that waits to be written: its row in JSON. */
interface Waiting {
  readonly id: string;
  readonly row: string;
}

interface Deps {
  readonly db: DataSource;
  readonly log: Log;
}

/**
 * Exchange records on their way to Postgres: buffered off the hot path, written in batches at the latest 250 ms after the
 * first, and from 64 on at once. While the database is away 10,000 wait; beyond that the oldest are dropped, counted and said.
 */
export class PostgresExchangeLog implements ExchangeLog {
  private readonly buffer: Waiting[] = [];
  private dropped = 0;
  /** Dropped since the start, or refused by the database. */
  private lost = 0;
  /** Flushes that failed since the last that did not. */
  private failures = 0;
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> | undefined;

  constructor(private readonly deps: Deps) {}

  append(exchange: Exchange): void {
    // As text it is small while it waits, and nothing of its call is held with it.
    this.buffer.push({ id: exchange.id, row: JSON.stringify(exchangeToRow(exchange)) });
    this.dropOldest();
    // After a failure the timer alone decides when the database is asked again.
    if (this.buffer.length >= flushFrom && this.failures === 0) void this.flush();
    else this.flushLater();
  }

  /** Records that wait to be written, and those that never will be. */
  figures(): { readonly waiting: number; readonly lost: number } {
    return { waiting: this.buffer.length, lost: this.lost };
  }

  /** Writes the buffered records. Never two at once; never fails: where the database is away the records wait for the next. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushing ??= this.drain().finally(() => {
      this.flushing = undefined;
      if (this.buffer.length > 0) this.flushLater();
    });
    return this.flushing;
  }

  /** Writes the rest. Records that the database no longer takes are counted and logged. */
  async close(): Promise<void> {
    await this.flushing;
    await this.flush();
    clearTimeout(this.timer);
    if (this.buffer.length > 0) this.deps.log.error('exchanges.lost', { count: this.buffer.length });
  }

  private flushLater(): void {
    if (this.flushing) return;
    const pauseMs = Math.min(flushWithinMs * 2 ** this.failures, longestPauseMs);
    this.timer ??= setTimeout(() => void this.flush(), pauseMs).unref();
  }

  private async drain(): Promise<void> {
    if (this.dropped > 0) this.deps.log.warn('exchanges.dropped', { count: this.dropped });
    this.dropped = 0;
    try {
      // Records that come meanwhile are for the next flush, which thereby writes many at once. Taken out before they are written: an
      // overflow meanwhile drops others.
      for (let left = this.buffer.length; left > 0; left -= batchSize) await this.write(this.buffer.splice(0, Math.min(left, batchSize)));
      this.failures = 0;
    } catch (error) {
      this.failures++;
      this.deps.log.warn('exchanges.delayed', { count: this.buffer.length, exception: nameOf(error) });
    }
  }

  /** Where the database refuses a batch, halves it until the one record is found, and drops that one. */
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
