import { randomUUID } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import type { DueDelivery } from '../../../../domain/deliveries/delivery';
import { queueOfCompletion } from '../../../../domain/deliveries/endpoint-queue';
import type { PendingCompletion, Settlement } from '../../../../domain/payments/order-payment';
import { columnParameters } from '../connection/array-parameters';
import { GroupedStatements } from '../connection/grouped-statements';
import { completionText } from './payment.schema';
import type { PaymentSeals } from './payment-seals';
import { settlePayments } from './payment-statements';
import { run, runIn } from '../connection/statement';

type Settled = Extract<Settlement, { outcome: 'settled' }>;
/**
 * The payment's id, result, report and settlement time, then the delivery's id, content, queue and the milliseconds for which it is claimed
 * (null: not claimed).
 */
type ResultRow = readonly [string, string, Buffer, Date, string, Buffer, string, number | null];
const resultTypes = ['text', 'text', 'bytea', 'timestamptz', 'text', 'bytea', 'text', 'integer'] as const;
/** A result to write. */
interface Result {
  readonly settlement: Settled;
  readonly row: ResultRow;
}
/** A row that `settlePayments` returns. */
interface MadeRow {
  /** The delivery's id. */
  readonly id: string;
  readonly lease: string | null;
}
/** A written result. Without a claim, its delivery is due. */
interface Written {
  readonly claimed: DueDelivery | undefined;
}

/** The maximum number of payments that one statement settles. */
const maxGroupSize = 64;

interface Deps {
  readonly db: DataSource;
  readonly seals: PaymentSeals;
}

/** Writes results of payments, each with the delivery that reports it. Concurrent results share one statement. */
export class PaymentResults {
  private readonly results = new GroupedStatements<Result, Written | undefined>({
    maxGroupSize,
    run: (results) => this.settleAll(results),
    nameOf: ({ row: [paymentId] }) => paymentId,
  });

  constructor(private readonly deps: Deps) {}

  /**
   * Resolves to `undefined`, with nothing written, when another report has settled the payment or has locked it. `claimForMs`: how long the
   * delivery is claimed, unless its endpoint is in trouble.
   */
  add(settlement: Settled, claimForMs?: number): Promise<Written | undefined> {
    return this.results.add({ settlement, row: this.rowOf(settlement, claimForMs) });
  }

  /** Writes the result in a transaction that has locked the payment. Its delivery is due. */
  async write(manager: EntityManager, settlement: Settled): Promise<void> {
    await runIn(manager, settlePayments, parametersOf([this.rowOf(settlement)], null));
  }

  private async settleAll(results: readonly Result[]): Promise<(Written | undefined)[]> {
    const lease = randomUUID();
    const rows = results.map(({ row }) => row);
    const made = await run<MadeRow>(this.deps.db, settlePayments, parametersOf(rows, lease));
    const leaseOf = new Map(made.map((row) => [row.id, row.lease]));
    return results.map(({ settlement: { pending } }) => {
      const claim = leaseOf.get(pending.id);
      return claim === undefined ? undefined : { claimed: claim === lease ? claimed(pending, lease) : undefined };
    });
  }

  private rowOf({ payment, pending }: Settled, claimForMs?: number): ResultRow {
    const { seals } = this.deps;
    const { completion } = pending;
    const text = completionText(completion);
    const [result, delivery] = [seals.completion(payment.id, text), seals.delivery(pending.id, text)];
    const at = new Date(completion.at);
    return [payment.id, payment.status, result, at, pending.id, delivery, queueOfCompletion(completion), claimForMs ?? null];
  }
}

/** The parameters of `settlePayments`: an array per column, the number of rows, and the lease of the claims. */
const parametersOf = (rows: readonly ResultRow[], lease: string | null): unknown[] => [
  ...columnParameters(resultTypes, rows),
  ...[rows.length, lease],
];

const claimed = ({ id, integrationId, completion }: PendingCompletion, lease: string): DueDelivery => ({
  id,
  integrationId,
  lease,
  queue: queueOfCompletion(completion),
  reason: 'schedule',
  content: { kind: 'completion', completion },
  ageMs: 0,
  tries: 0,
});
