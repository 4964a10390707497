import { createDataSource } from '../../../src/adapters/out/postgres/connection/data-source';
import { openReferenceIndex } from '../../../src/adapters/out/postgres/sealing/reference-index';
import { completionText } from '../../../src/adapters/out/postgres/payments/payment.schema';
import { PaymentSeals } from '../../../src/adapters/out/postgres/payments/payment-seals';
import { AesSecretCipher } from '../../../src/adapters/out/secrets/secret-cipher';
import { queueOfCompletion } from '../../../src/domain/deliveries/endpoint-queue';
import type { TestDatabase } from '../../support/postgres/database';

export interface Queued {
  readonly pair: { readonly clientId: string; readonly appId: string };
  readonly count: number;
  /** Of so many payments one has two completions queued, the second behind the first. */
  readonly pairedEvery: number;
}

const insert = `
  insert into deliveries (id, integration_id, kind, key, queue, body, state, head, due_at, created_at)
  select id, (select id from integrations where client_id = $4 and app_id = $5), 'completion', key, $6, body, 'ready', head,
    now() - interval '1 h', now() - interval '1 h'
  from unnest($1::text[], $2::text[], $3::bytea[], $7::boolean[]) with ordinality as q (id, key, body, head, ordinal) order by ordinal`;

/** Queues completions as if they had been pending for an hour, sealed as the service seals them, by one statement. Their ids. */
export async function queueCompletions({ target }: TestDatabase, { pair, count, pairedEvery }: Queued): Promise<string[]> {
  if (target.kind !== 'postgres') throw new Error('Queued on Postgres alone');
  const db = await createDataSource({ ...target, limits: 'none', poolSize: 1 }).initialize();
  try {
    const box = new AesSecretCipher([{ id: 'k1', key: new Uint8Array(32).fill(7) }]);
    const seals = new PaymentSeals({ box, index: await openReferenceIndex(db, box) });
    const ids = Array.from({ length: count }, (_, n) => `queued_${String(n)}`);
    const isSecond = ids.map((_, n) => n % (pairedEvery + 1) === 1);
    // What stands alone has its id for key.
    const keys = ids.map((id, n) => (isSecond[n] ? `key of ${ids[n - 1]!}` : isSecond[n + 1] ? `key of ${id}` : id));
    const bodies = ids.map((id, n) => {
      const orderPaymentId = `op of ${keys[n]!}`;
      const report = { word: 'paid', failReason: undefined, customAttributes: undefined, requestId: 'r', at: 1 } as const;
      return seals.delivery(id, completionText({ ...pair, orderPaymentId, ...report }));
    });
    const isHead = isSecond.map((second) => !second);
    await db.query(insert, [ids, keys, bodies, pair.clientId, pair.appId, queueOfCompletion(pair), isHead]);
    return ids;
  } finally {
    await db.destroy();
  }
}
