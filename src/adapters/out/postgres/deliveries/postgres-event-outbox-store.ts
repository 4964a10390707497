import type { DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { EventOutboxStore, OutboxEvent } from '../../../../domain/deliveries/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import { bodySealContext, eventText } from './delivery.schema';
import { lockKey } from './delivery-statements';
import type { ReferenceIndex } from '../sealing/reference-index';
import { sealText } from '../sealing/sealed-text';
import { run, runIn, transaction, type Statement } from '../connection/statement';

/** An event becomes the head unless another event with its key is pending. */
const insertEvent: Statement = {
  name: 'events.add',
  text: `
    insert into deliveries (id, integration_id, kind, receiver, key, queue, body, state, due_at, created_at, head)
    values ($1, $2, 'event', $3, $4, $6, $5, 'ready', now(), now(), $4 = $1 or not exists (select from deliveries where key = $4 and state = 'ready'))`,
};

/** Pending events in Postgres: sealed, with ordering keys stored as keyed digests. */
export class PostgresEventOutboxStore implements EventOutboxStore {
  constructor(private readonly deps: { readonly db: DataSource; readonly box: SecretCipher; readonly index: ReferenceIndex }) {}

  async add(event: OutboxEvent): Promise<void> {
    const { id, integrationId, receiver, queue, orderingKey } = event;
    requireIds({ id, integrationId, receiver, queue });
    const sealed = sealText(this.deps.box, await eventText(event), bodySealContext(id));
    const row = (key: string): unknown[] => [id, integrationId, receiver, key, sealed, queue];
    if (orderingKey === undefined) {
      await run(this.deps.db, insertEvent, row(id));
      return;
    }
    const key = this.deps.index.digest('event-order', integrationId, receiver, orderingKey).toString('base64url');
    await transaction(this.deps.db, async (manager) => {
      // Sequence numbers follow the order of inserts, visibility the order of commits. The lock makes both agree within a key.
      await runIn(manager, lockKey, [key]);
      await runIn(manager, insertEvent, row(key));
    });
  }
}
