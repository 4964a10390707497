import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import type { EventOutbox, OwedEvent } from '../../../domain/deliveries/ports';
import { requireIds } from '../../../domain/shared/required-id';
import { bodyPlace, eventText } from './delivery.schema';
import { lockKey } from './delivery-statements';
import type { ReferenceIndex } from './reference-index';
import { sealText } from './sealed-text';
import { run, runIn, transaction, type Statement } from './statement';

/** Of a key whose turn is another's it waits behind. */
const owe: Statement = {
  name: 'events.owe',
  text: `
    insert into deliveries (id, integration_id, kind, receiver, key, lane, body, state, due_at, created_at, head)
    values ($1, $2, 'event', $3, $4, $6, $5, 'ready', now(), now(), $4 = $1 or not exists (select from deliveries where key = $4 and state = 'ready'))`,
};

/** Owed events in Postgres, sealed; ordering keys as keyed digests. */
export class PostgresEventOutbox implements EventOutbox {
  constructor(private readonly deps: { readonly db: DataSource; readonly box: SecretBox; readonly index: ReferenceIndex }) {}

  async owe(event: OwedEvent): Promise<void> {
    const { id, integrationId, receiver, lane, orderingKey } = event;
    requireIds({ id, integrationId, receiver, lane });
    const sealed = sealText(this.deps.box, eventText(event), bodyPlace(id));
    const row = (key: string): unknown[] => [id, integrationId, receiver, key, sealed, lane];
    if (orderingKey === undefined) {
      await run(this.deps.db, owe, row(id));
      return;
    }
    const key = this.deps.index.digest('event-order', integrationId, receiver, orderingKey).toString('base64url');
    await transaction(this.deps.db, async (manager) => {
      // Numbers are given in the order of the inserts, rows are seen in the order of the commits: within a key one at a time.
      await runIn(manager, lockKey, [key]);
      await runIn(manager, owe, row(key));
    });
  }
}
