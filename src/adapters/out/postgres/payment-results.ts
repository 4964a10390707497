import { randomUUID } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import type { DueDelivery } from '../../../domain/deliveries/delivery';
import { laneOfCompletion } from '../../../domain/deliveries/lane';
import type { OwedCompletion, Settlement } from '../../../domain/payments/order-payment';
import { columnParameters } from './array-parameters';
import { GroupedStatements } from './grouped-statements';
import { completionText } from './payment.schema';
import type { PaymentSeals } from './payment-seals';
import { settlePayments } from './payment-statements';
import { run, runIn } from './statement';

type Settled = Extract<Settlement, { outcome: 'settled' }>;
/**
 * Of a payment: its id, result, report and when it was settled; of its delivery: id, content, lane, and for how many milliseconds it is claimed
 * (null: not at all).
 */
type ResultRow = readonly [string, string, Buffer, Date, string, Buffer, string, number | null];
const resultTypes = ['text', 'text', 'bytea', 'timestamptz', 'text', 'bytea', 'text', 'integer'] as const;
/** A result on its way. */
interface Result {
  readonly settlement: Settled;
  readonly row: ResultRow;
}
/** A row that `settlePayments` returns. */
interface MadeRow {
  /** Of the delivery. */
  readonly id: string;
  readonly lease: string | null;
}
/** A result that was written; without a claim its delivery is due. */
interface Written {
  readonly claimed: DueDelivery | undefined;
}

/** Payments that one statement settles at most. */
const most = 64;

interface Deps {
  readonly db: DataSource;
  readonly seals: PaymentSeals;
}

/** Writes results of payments, each with the delivery that tells of it: one statement for those that come at the same time. */
export class PaymentResults {
  private readonly results = new GroupedStatements<Result, Written | undefined>({
    most,
    run: (results) => this.settleAll(results),
    nameOf: ({ row: [paymentId] }) => paymentId,
  });

  constructor(private readonly deps: Deps) {}

  /**
   * `undefined`: somebody was faster, or is at it, and nothing was written. `claimForMs`: the delivery is claimed so long, unless its endpoint is
   * in trouble.
   */
  add(settlement: Settled, claimForMs?: number): Promise<Written | undefined> {
    return this.results.add({ settlement, row: this.rowOf(settlement, claimForMs) });
  }

  /** Within a transaction that holds the payment; its delivery is due. */
  async write(manager: EntityManager, settlement: Settled): Promise<void> {
    await runIn(manager, settlePayments, parametersOf([this.rowOf(settlement)], null));
  }

  private async settleAll(results: readonly Result[]): Promise<(Written | undefined)[]> {
    const lease = randomUUID();
    const rows = results.map(({ row }) => row);
    const made = await run<MadeRow>(this.deps.db, settlePayments, parametersOf(rows, lease));
    const leaseOf = new Map(made.map((row) => [row.id, row.lease]));
    return results.map(({ settlement: { owed } }) => {
      const claim = leaseOf.get(owed.id);
      return claim === undefined ? undefined : { claimed: claim === lease ? claimed(owed, lease) : undefined };
    });
  }

  private rowOf({ payment, owed }: Settled, claimForMs?: number): ResultRow {
    const { seals } = this.deps;
    const { completion } = owed;
    const text = completionText(completion);
    const [result, delivery] = [seals.completion(payment.id, text), seals.delivery(owed.id, text)];
    const at = new Date(completion.at);
    return [payment.id, payment.status, result, at, owed.id, delivery, laneOfCompletion(completion), claimForMs ?? null];
  }
}

/** The parameters of `settlePayments`: an array for each column, how many rows there are, and the name of the claims. */
const parametersOf = (rows: readonly ResultRow[], lease: string | null): unknown[] => [
  ...columnParameters(resultTypes, rows),
  ...[rows.length, lease],
];

const claimed = ({ id, integrationId, completion }: OwedCompletion, lease: string): DueDelivery => ({
  id,
  integrationId,
  lease,
  lane: laneOfCompletion(completion),
  reason: 'schedule',
  owed: { kind: 'completion', completion },
  ageMs: 0,
  tries: 0,
});
