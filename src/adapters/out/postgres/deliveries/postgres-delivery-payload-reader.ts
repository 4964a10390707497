import type { DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { OpenedDelivery, DeliveryPayloadReader } from '../../../../domain/deliveries/delivery-drafts';
import { requireIds } from '../../../../domain/shared/required-id';
import { appendAudit } from '../audit/audit-statement';
import { bodySealContext, contentFrom, type DeliveryRow } from './delivery.schema';
import { runIn, transaction, type Statement } from '../connection/statement';

const select: Statement = { name: 'deliveries.open', text: 'select integration_id, kind, receiver, body from deliveries where id = $1' };

/** The content of deliveries, in Postgres. */
export class PostgresDeliveryPayloadReader implements DeliveryPayloadReader {
  constructor(private readonly deps: { readonly db: DataSource; readonly box: SecretCipher }) {}

  async open(id: string, audit: Parameters<DeliveryPayloadReader['open']>[1]): Promise<OpenedDelivery | undefined> {
    requireIds({ id });
    const { db, box } = this.deps;
    return transaction(db, async (manager) => {
      const [row] = await runIn<Pick<DeliveryRow, 'integration_id' | 'kind' | 'receiver' | 'body'>>(manager, select, [id]);
      if (!row) return undefined;
      await appendAudit(manager, audit());
      return { id, integrationId: row.integration_id, content: await contentFrom(row, box.open(row.body, bodySealContext(id))) };
    });
  }
}
