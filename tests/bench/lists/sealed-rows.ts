import { DataSource } from 'typeorm';
import { arrayParameter, type ArrayType, type ArrayValue } from '../../../src/adapters/out/postgres/connection/array-parameters';
import { credentialSealContext } from '../../../src/adapters/out/postgres/partners/partner.schema';
import { orderSealContext } from '../../../src/adapters/out/postgres/payments/payment.schema';
import { earlySealContext, summarySealContext } from '../../../src/adapters/out/postgres/payments/payment-seals';
import {
  openReferenceIndex,
  referenceSealContext,
  userDigest,
  type ReferenceIndex,
} from '../../../src/adapters/out/postgres/sealing/reference-index';
import { sealText } from '../../../src/adapters/out/postgres/sealing/sealed-text';
import { AesSecretCipher } from '../../../src/adapters/out/secrets/secret-cipher';
import type { BenchDatabase } from '../bench-database';
import { encryptionKey } from '../bench-service';
import { printLine } from '../round';
import { idOfRow, madeAt, wordOfRow } from './insert-rows';
import { appId, hostId, pairOfRow, partnersOfKind, gridSize } from './spread';

const rowsAtOnce = 10_000;
const sample = `'\\x01026b31'::bytea`;

type Row = Readonly<Record<string, ArrayValue>>;
type Types = Readonly<Record<string, ArrayType>>;

/** What a list opens is sealed row by row: a seal holds for its context alone. */
export class SealedRows {
  private constructor(
    private readonly database: BenchDatabase,
    private readonly box: AesSecretCipher,
    private readonly index: ReferenceIndex,
  ) {}

  /** With the keys of the service that has made the database. */
  static async open(database: BenchDatabase): Promise<SealedRows> {
    const box = new AesSecretCipher([encryptionKey]);
    const db = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    try {
      return new SealedRows(database, box, await openReferenceIndex(db, box));
    } finally {
      await db.destroy();
    }
  }

  /** Users with their tokens, and the consent of each to one miniapp. */
  async users(count: number): Promise<void> {
    const types = { n: 'integer', digest: 'bytea', reference: 'bytea' } as const;
    await this.insert({ what: 'users', count, types, rowOf: (n) => this.user(n), statement: usersOf(count) });
  }

  async payments(count: number): Promise<void> {
    const rowOf = (n: number): Row => ({
      n,
      sealed: sealText(this.box, orderOf(n), orderSealContext(idOfRow(n))),
      summary: sealText(this.box, summaryOf(n), summarySealContext(idOfRow(n))),
    });
    const types = { n: 'integer', sealed: 'bytea', summary: 'bytea' } as const;
    await this.insert({ what: 'payments', count, types, rowOf, statement: paymentsOf(count) });
  }

  /** Results that no payment was opened for. */
  async unmatched(count: number): Promise<void> {
    const rowOf = (n: number): Row => {
      const { integrationId, clientId, appId: app } = pairOfRow(n);
      const key = { integrationId, orderPaymentId: `early-${n}` };
      const text = `{"client_id":"${clientId}","app_id":"${app}","order_payment_id":"early-${n}","payment_status":"paid","request_id":"req-${n}","at":1}`;
      return { n, sealed: sealText(this.box, text, earlySealContext(key)) };
    };
    await this.insert({ what: 'unmatched results', count, types: { n: 'integer', sealed: 'bytea' }, rowOf, statement: unmatchedOf(count) });
  }

  /** The secret keys of all partners. */
  async credentials(): Promise<void> {
    for (const [kind, idOf] of [['host-app', hostId] as const, ['miniapp', appId] as const]) {
      const rowOf = (n: number): Row => {
        const key = { partner_kind: kind, partner_id: idOf(n), kind: 'secret_key', slot: 'current' } as const;
        return { id: key.partner_id, sealed: sealText(this.box, `secret key of ${key.partner_id}`, credentialSealContext(key)) };
      };
      const statement = `
        insert into partner_credentials (partner_kind, partner_id, kind, slot, sealed, fingerprint, created_at, last_used_at)
        select '${kind}', id, 'secret_key', 'current', sealed, md5(id), now() - interval '20 days', now() from given`;
      await this.insert({
        what: `credentials of ${kind}s`,
        count: partnersOfKind,
        types: { id: 'text', sealed: 'bytea' },
        rowOf,
        statement,
      });
    }
  }

  private user(n: number): Row {
    const { clientId } = pairOfRow(n);
    const reference = `user-${n}`;
    const digest = userDigest(this.index, { clientId, reference });
    return { n, digest, reference: sealText(this.box, reference, referenceSealContext(digest)) };
  }

  private async insert({ what, count, types, rowOf, statement }: Sealing): Promise<void> {
    const startedAt = performance.now();
    const names = Object.keys(types);
    const arrays = names.map((name, i) => `$${i + 1}::${types[name]!}[]`).join(', ');
    const text = `with given as (select * from unnest(${arrays}) as g (${names.join(', ')})) ${statement}`;
    for (let from = 1; from <= count; from += rowsAtOnce) {
      const rows = Array.from({ length: Math.min(rowsAtOnce, count - from + 1) }, (_, i) => rowOf(from + i));
      const columns = names.map((name) =>
        arrayParameter(
          types[name]!,
          rows.map((row) => row[name]!),
        ),
      );
      await this.database.query(text, columns);
    }
    printLine(`sealed ${what}: ${count} rows in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }
}

interface Sealing {
  readonly what: string;
  readonly count: number;
  readonly types: Types;
  readonly rowOf: (n: number) => Row;
  /** The statement over the rows, which are called `given`. */
  readonly statement: string;
}

const ofPair = `given g join spread s on s.slot = g.n % ${gridSize}`;

const usersOf = (count: number): string => `
  , stored as (
    insert into users (client_id, reference_digest, reference, data, created_at, updated_at)
    select s.client_id, digest, reference, ${sample}, ${madeAt(count)}, now() from ${ofPair}
  ), tokens as (
    insert into user_tokens (client_id, reference_digest, access_token, version, updated_at)
    select s.client_id, digest, ${sample}, 1, now() from ${ofPair} where n % 3 = 0
  ), said as (
    insert into consents (integration_id, reference_digest, granted, updated_at) select s.integration_id, digest, true, now() from ${ofPair}
  )
  insert into consent_entries (integration_id, reference_digest, reference, granted, call, request_id, at)
  select s.integration_id, digest, reference, true, 'connect', 'req-' || n, ${madeAt(count)} from ${ofPair}`;

const paymentStatus = wordOfRow({ paid: 900, failed: 20, cancelled: 20, in_process: 10 });
const creation = wordOfRow({ opened: 950, refused: 10, unanswered: 2, begun: 1 });

const paymentsOf = (count: number): string => `
  insert into order_payments (id, integration_id, order_payment_id, creation, status, sealed_order, sealed_summary, currency, amount, user_digest,
    created_at, settled_at)
  select '019' || lpad(to_hex(n), 29, '0'), s.integration_id, 'pay-' || n, ${creation}, ${paymentStatus}, sealed, summary, 'USD', 24.90,
    sha256(('user-' || n % 50000)::bytea), ${madeAt(count)}, ${madeAt(count)} + interval '20 s' from ${ofPair}`;

const unmatchedOf = (count: number): string => `
  insert into payment_completions_early (integration_id, order_payment_id, status, completion, at, unmatched_since)
  select s.integration_id, 'early-' || n, 'paid', sealed, date_trunc('milliseconds', ${madeAt(count)}), now() from ${ofPair}`;

const summaryOf = (n: number): string => `{"currency":"USD","amount":"24.90","miniapp_order_id":"order-${n}"}`;

const orderOf = (n: number): string =>
  `{"currency":"USD","amount":"24.90","miniapp_order_id":"order-${n}","hostapp_user_id":"user-${n}","order":{"currency":"USD","amount":"24.90",` +
  `"miniapp_order_id":"order-${n}","items":[{"product_name":"Blue mug","product_sku":"MUG-1","quantity":2,"price":"10.00"}],` +
  '"shipping_address":{"first_name":"Ada","last_name":"Lovelace","address1":"1 Pier Road","city":"Singapore","country":"SG"}}}';
