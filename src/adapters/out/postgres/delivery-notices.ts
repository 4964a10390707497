import type { DataSource } from 'typeorm';
import { deliveriesChannel } from './feed-connection';
import { run, type Statement } from './statement';

const notify: Statement = { name: 'deliveries.notify', text: 'select pg_notify($1, $2)' };

/** Tells the instances over this database that something is due. */
export class DeliveryNotices {
  constructor(private readonly db: DataSource) {}

  /** Never fails: who does not hear it looks by itself within seconds. */
  async tell(): Promise<void> {
    await run(this.db, notify, [deliveriesChannel, '']).catch(() => undefined);
  }
}
