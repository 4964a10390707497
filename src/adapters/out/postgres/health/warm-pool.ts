import type { DataSource } from 'typeorm';
import { PoolGauge } from '../pool-gauge';
import { run } from '../statement';

const ping = { name: 'pool.ping', text: 'select 1' };

/** Opens the connections that the pool may have, so that the first callers do not wait for them. What cannot be opened is opened later. */
export async function warmPool(db: DataSource): Promise<void> {
  const { most } = new PoolGauge(db).sizes();
  await Promise.all(Array.from({ length: most }, () => run(db, ping, []).catch(() => undefined)));
}
