import type { DataSource } from 'typeorm';
import { PoolGauge } from '../connection/pool-gauge';
import { run } from '../connection/statement';

const ping = { name: 'pool.ping', text: 'select 1' };

/** Opens the pool's connections up to its maximum, so that the first callers do not wait. Connections that fail are opened later. */
export async function warmPool(db: DataSource): Promise<void> {
  const { max } = new PoolGauge(db).sizes();
  await Promise.all(Array.from({ length: max }, () => run(db, ping, []).catch(() => undefined)));
}
