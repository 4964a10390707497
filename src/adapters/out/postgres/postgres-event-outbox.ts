import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import type { EventOutbox, OwedEvent } from '../../../domain/deliveries/ports';
import { requireIds } from '../../../domain/shared/required-id';
import { bodyPlace, eventText } from './delivery.schema';
import type { ReferenceIndex } from './reference-index';
import { sealText } from './sealed-text';
import { run, runIn, transaction, type Statement } from './statement';

/** Numbers are given in the order of the inserts, rows are seen in the order of the commits: within a key one at a time. */
const lockKey: Statement = { name: 'events.lock-key', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' };

const owe: Statement = {
  name: 'events.owe',
  text: `
    insert into deliveries (id, integration_id, kind, receiver, key, body, state, due_at, created_at)
    values ($1, $2, 'event', $3, $4, $5, 'ready', $6, $6)`,
};

/** Owed events in Postgres, sealed; ordering keys as keyed digests. */
export class PostgresEventOutbox implements EventOutbox {
  constructor(private readonly deps: { readonly db: DataSource; readonly box: SecretBox; readonly index: ReferenceIndex }) {}

  async owe(event: OwedEvent): Promise<void> {
    const { id, integrationId, receiver, orderingKey, at } = event;
    requireIds({ id, integrationId, receiver });
    const sealed = sealText(this.deps.box, eventText(event), bodyPlace(id));
    const row = (key: string): unknown[] => [id, integrationId, receiver, key, sealed, new Date(at)];
    if (orderingKey === undefined) {
      await run(this.deps.db, owe, row(id));
      return;
    }
    const key = this.deps.index.digest('event-order', integrationId, receiver, orderingKey).toString('base64url');
    await transaction(this.deps.db, async (manager) => {
      await runIn(manager, lockKey, [key]);
      await runIn(manager, owe, row(key));
    });
  }
}
