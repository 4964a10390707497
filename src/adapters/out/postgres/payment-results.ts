import { randomUUID } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import type { DueDelivery } from '../../../domain/deliveries/delivery';
import { laneOfCompletion } from '../../../domain/deliveries/lane';
import type { DeliveryPlaces } from '../../../domain/deliveries/ports';
import type { OwedCompletion, Settlement } from '../../../domain/payments/order-payment';
import { arrayParameter, columnParameters } from './array-parameters';
import { GroupedStatements } from './grouped-statements';
import { completionText } from './payment.schema';
import type { PaymentSeals } from './payment-seals';
import { settlePayments } from './payment-statements';
import { run, runIn } from './statement';

type Settled = Extract<Settlement, { outcome: 'settled' }>;
/** Of a payment: its id, result, report and when it was settled; of its delivery: id, content, and lane. */
type ResultRow = readonly [string, string, Buffer, Date, string, Buffer, string];
const resultTypes = ['text', 'text', 'bytea', 'timestamptz', 'text', 'bytea', 'text'] as const;
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
/** A result that was written. */
interface Written {
  /** Its delivery is being attempted; otherwise it is due. */
  readonly isBegun: boolean;
}

/** Payments that one statement settles at most. */
const most = 64;

interface Deps {
  readonly db: DataSource;
  readonly seals: PaymentSeals;
  /** Where what is owed is attempted at once; absent: it is left to whoever claims it. */
  readonly places?: DeliveryPlaces | undefined;
}

/** Writes results of payments, each with the delivery that tells of it: one statement for those that come at the same time. */
export class PaymentResults {
  private readonly results = new GroupedStatements<Result, Written | undefined>({
    most,
    run: (results) => this.settleAll(results),
    nameOf: ({ row: [paymentId] }) => paymentId,
  });

  constructor(private readonly deps: Deps) {}

  /** `undefined`: somebody was faster, or is at it, and nothing was written. */
  add(settlement: Settled): Promise<Written | undefined> {
    return this.results.add({ settlement, row: this.rowOf(settlement) });
  }

  /** Within a transaction that holds the payment; its delivery is due. */
  async write(manager: EntityManager, settlement: Settled): Promise<void> {
    await runIn(manager, settlePayments, columnsOf([this.rowOf(settlement)], unclaimed));
  }

  /** Deliveries are claimed as they are made as far as there are places for them, and begin once they are committed. */
  private async settleAll(results: readonly Result[]): Promise<(Written | undefined)[]> {
    const { db, places } = this.deps;
    const held = results.map(({ row: [, , , , , , lane] }) => places?.hold(lane));
    const lease = randomUUID();
    const claims = { leases: held.map((place) => (place ? lease : null)), leaseMs: places?.leaseMs ?? 0 };
    const values = columnsOf(
      results.map(({ row }) => row),
      claims,
    );
    const made = await run<MadeRow>(db, settlePayments, values).catch((error: unknown) => {
      for (const place of held) place?.giveBack();
      throw error;
    });
    const rowOfId = new Map(made.map((row) => [row.id, row]));
    return results.map(({ settlement: { owed } }, at) => {
      const row = rowOfId.get(owed.id);
      const isBegun = row?.lease === lease;
      if (isBegun) held[at]?.begin(claimed(owed, lease));
      else held[at]?.giveBack();
      return row && { isBegun };
    });
  }

  private rowOf({ payment, owed }: Settled): ResultRow {
    const { seals } = this.deps;
    const { completion } = owed;
    const text = completionText(completion);
    const [result, delivery] = [seals.completion(payment.id, text), seals.delivery(owed.id, text)];
    const at = new Date(completion.at);
    return [payment.id, payment.status, result, at, owed.id, delivery, laneOfCompletion(completion)];
  }
}

/** The parameters of `settlePayments`: an array for each column, how many rows there are, and how long claims last. */
const columnsOf = (rows: readonly ResultRow[], { leases, leaseMs }: { leases: readonly (string | null)[]; leaseMs: number }): unknown[] => [
  ...columnParameters(resultTypes, rows),
  ...[arrayParameter('text', leases), rows.length, leaseMs],
];

const unclaimed = { leases: [null], leaseMs: 0 };

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
