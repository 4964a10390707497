import type { DataSource } from 'typeorm';
import { deliveriesChannel } from '../changes/feed-connection';
import { run, type Statement } from '../connection/statement';

const notify: Statement = { name: 'deliveries.notify', text: 'select pg_notify($1, $2)' };

/** Notifies all instances that share this database of due deliveries. */
export class DeliveryNotices {
  constructor(private readonly db: DataSource) {}

  /** Never rejects. An instance that misses the notice polls within seconds. */
  async send(): Promise<void> {
    await run(this.db, notify, [deliveriesChannel, '']).catch(() => undefined);
  }
}
