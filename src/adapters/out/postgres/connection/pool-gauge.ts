import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/** Measures the pool of a connected data source: how many statements wait for a connection, and how many have got one so far. */
export class PoolGauge {
  private granted = 0;
  private readonly pool: Pool;

  constructor(db: DataSource) {
    // TypeORM keeps the driver's own pool as `master`.
    this.pool = (db.driver as unknown as { master: Pool }).master;
    this.pool.on('acquire', () => this.granted++);
  }

  waiting(): number {
    return this.pool.waitingCount;
  }

  served(): number {
    return this.granted;
  }

  /** The maximum number of connections, the open ones and those in use. */
  sizes(): { readonly max: number; readonly open: number; readonly inUse: number } {
    const { options, totalCount: open, idleCount } = this.pool;
    return { max: options.max, open, inUse: open - idleCount };
  }
}
