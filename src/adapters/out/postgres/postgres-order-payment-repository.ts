import { randomUUID } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import type { DueDelivery } from '../../../domain/deliveries/delivery';
import { laneOfCompletion } from '../../../domain/deliveries/lane';
import type { DeliveryPlaces } from '../../../domain/deliveries/ports';
import {
  disagreementOf,
  settle,
  type OrderPayment,
  type OwedCompletion,
  type PaymentIntent,
  type Settlement,
} from '../../../domain/payments/order-payment';
import { OrderNotFound, type OrderPaymentRepository, type PaymentKey } from '../../../domain/payments/ports';
import { plainDecimal } from '../../../domain/shared/decimal';
import { JsonNumber } from '../../../domain/shared/json';
import { requireIds } from '../../../domain/shared/required-id';
import type { DeliveryRow } from './delivery.schema';
import { GroupedStatements } from './grouped-statements';
import { orderText, type EarlyCompletionRow } from './payment.schema';
import { PaymentSeals, type PaymentRow } from './payment-seals';
import * as statements from './payment-statements';
import { paymentUserDigest, type ReferenceIndex } from './reference-index';
import { run, runIn, transaction } from './statement';

type IntentId = Pick<PaymentIntent, 'id' | 'integrationId'>;
type Settled = Extract<Settlement, { outcome: 'settled' }>;
/** Of a payment: its id, result, report and when it was settled; of its delivery: id, content, when it is due, and lane. */
type ResultRow = readonly [string, string, Buffer, Date, string, Buffer, Date, string];
/** A result on its way. */
interface Result {
  readonly settlement: Settled;
  readonly row: ResultRow;
}
/** Its delivery is being attempted, or due; `undefined`: somebody was faster, or is at it, and nothing was written. */
type Written = 'begun' | 'due' | undefined;

/** Payments that one statement finds or settles at most. */
const most = 64;

interface Deps {
  readonly db: DataSource;
  readonly box: SecretBox;
  readonly index: ReferenceIndex;
  /** Where what is owed is attempted at once; absent: it is left to whoever claims it. */
  readonly places?: DeliveryPlaces;
}

/** Order payments in Postgres: orders, users and reports sealed; a result, its delivery and what contradicts it in one transaction. */
export class PostgresOrderPaymentRepository implements OrderPaymentRepository {
  private readonly seals: PaymentSeals;
  private readonly finds = new GroupedStatements<PaymentKey, PaymentRow | undefined>({ most, run: (keys) => this.findAll(keys) });
  private readonly results = new GroupedStatements<Result, Written>({
    most,
    run: (results) => this.settleAll(results),
    nameOf: ({ row: [paymentId] }) => paymentId,
  });

  constructor(private readonly deps: Deps) {
    this.seals = new PaymentSeals(deps);
  }

  async intend({ id, integrationId, order, at, ask }: PaymentIntent): Promise<void> {
    requireIds({ id, integrationId });
    const sealedOrder = this.seals.order(id, orderText(order));
    const { currency, amount, hostappUserId } = order.facts;
    const sealedUser = this.seals.user(id, hostappUserId);
    const digest = hostappUserId ? paymentUserDigest(this.deps.index, integrationId, hostappUserId) : null;
    const compared = [currency, plainDecimal(new JsonNumber(amount)) ?? null];
    const plan = [ask?.clientId ?? null, ask ? new Date(ask.at) : null];
    await run(this.deps.db, statements.intend, [id, integrationId, sealedOrder, sealedUser, new Date(at), ...compared, ...plan, digest]);
  }

  async open(intent: IntentId, orderPaymentId: string): Promise<OrderPayment> {
    const { id, integrationId } = intent;
    requireIds({ id, integrationId, orderPaymentId });
    const key = { integrationId, orderPaymentId };
    return transaction(this.deps.db, async (manager) => {
      await runIn(manager, statements.lockKey, valuesOf(key));
      const bound = await this.lock(manager, key);
      if (!bound) return this.bind(manager, intent, key);
      if (bound.id !== id) requireEnded(await runIn(manager, statements.endIntent, [id, integrationId, 'repeated']));
      return bound;
    });
  }

  async giveUp(intent: IntentId, how: 'refused' | 'unanswered'): Promise<void> {
    const { id, integrationId } = intent;
    requireIds({ id, integrationId });
    requireEnded(await run(this.deps.db, statements.endIntent, [id, integrationId, how]));
  }

  async find(key: PaymentKey): Promise<OrderPayment | undefined> {
    valuesOf(key);
    const row = await this.finds.add(key);
    return row && this.seals.payment(row);
  }

  async settle(key: PaymentKey, change: (payment: OrderPayment) => Settlement): Promise<Settlement> {
    const values = valuesOf(key);
    const stored = await this.find(key);
    if (stored?.completion) {
      // A result is for ever: what is said of it and leaves nothing to write needs no lock, nor does it wait for one.
      const settlement = change(stored);
      if (!disagreementOf(settlement)) return settlement;
    } else if (stored) {
      // Nearly always nobody else reports on it now, and one statement does.
      const settlement = change(stored);
      if (settlement.outcome === 'settled') {
        const written = await this.results.add({ settlement, row: this.resultOf(settlement) });
        if (written) return { isBegun: written === 'begun', ...settlement };
      }
    }
    return transaction(this.deps.db, async (manager) => {
      const known = await this.lock(manager, key);
      if (known) return this.settleKnown(manager, key, change(known));
      await runIn(manager, statements.lockKey, values);
      // Bound while we waited for the key: what was read before it is the past.
      const bound = await this.lock(manager, key);
      if (bound) return this.settleKnown(manager, key, change(bound));
      return this.settleEarly(manager, key, change);
    });
  }

  private async lock(manager: EntityManager, key: PaymentKey): Promise<OrderPayment | undefined> {
    const [row] = await runIn<PaymentRow>(manager, statements.lock, valuesOf(key));
    return row && this.seals.payment(row);
  }

  /** Makes the intent the payment of this id, ended already where its completion came first. */
  private async bind(manager: EntityManager, { id, integrationId }: IntentId, key: PaymentKey): Promise<OrderPayment> {
    const [row] = await runIn<PaymentRow>(manager, statements.bind, [id, integrationId, key.orderPaymentId]);
    if (!row) throw new Error('This payment was never intended, or has another id already');
    const opened = this.seals.payment(row);
    const [early] = await runIn<Pick<EarlyCompletionRow, 'completion'>>(manager, statements.takeEarly, valuesOf(key));
    if (!early) return opened;
    const { payment } = await this.settleKnown(manager, key, settle(opened, this.seals.earlyFrom(key, early.completion)));
    return payment;
  }

  private async settleKnown(manager: EntityManager, key: PaymentKey, settlement: Settlement): Promise<Settlement> {
    if (settlement.outcome === 'settled')
      await runIn(manager, statements.settlePayments, columnsOf([this.resultOf(settlement)], unclaimed));
    await this.keepDisagreement(manager, key, settlement);
    return settlement;
  }

  /** Deliveries are claimed as they are made as far as there are places for them, and begin once they are committed. */
  private async settleAll(results: readonly Result[]): Promise<Written[]> {
    const { db, places } = this.deps;
    const held = results.map(({ row: [, , , , , , , lane] }) => places?.hold(lane));
    const lease = randomUUID();
    const claims = { leases: held.map((place) => (place ? lease : null)), leaseMs: places?.leaseMs ?? 0 };
    const values = columnsOf(
      results.map(({ row }) => row),
      claims,
    );
    const made = await run<Pick<DeliveryRow, 'id' | 'lease'>>(db, statements.settlePayments, values).catch((error: unknown) => {
      for (const place of held) place?.giveBack();
      throw error;
    });
    const leaseOf = new Map(made.map(({ id, lease }) => [id, lease]));
    return results.map(({ settlement: { owed } }, at) => {
      const isBegun = leaseOf.get(owed.id) === lease;
      if (isBegun) held[at]?.begin(claimed(owed, lease));
      else held[at]?.giveBack();
      if (isBegun) return 'begun';
      return leaseOf.has(owed.id) ? 'due' : undefined;
    });
  }

  private async findAll(keys: readonly PaymentKey[]): Promise<(PaymentRow | undefined)[]> {
    const [integrations, ids] = [keys.map(({ integrationId }) => integrationId), keys.map(({ orderPaymentId }) => orderPaymentId)];
    const rows = await run<PaymentRow>(this.deps.db, statements.findAll, [integrations, ids, keys.length]);
    const found = new Map(rows.map((row) => [JSON.stringify([row.integration_id, row.order_payment_id]), row]));
    return keys.map(({ integrationId, orderPaymentId }) => found.get(JSON.stringify([integrationId, orderPaymentId])));
  }

  private resultOf({ payment, owed }: Settled): ResultRow {
    const { completion } = owed;
    const [result, delivery] = [this.seals.completion(payment.id, completion), this.seals.delivery(owed.id, completion)];
    const at = new Date(completion.at);
    return [payment.id, payment.status, result, at, owed.id, delivery, new Date(owed.dueAt), laneOfCompletion(completion)];
  }

  /** Nothing is known of the id. Where it may be that of a creation still awaited, its first result is kept until that is answered. */
  private async settleEarly(manager: EntityManager, key: PaymentKey, change: (payment: OrderPayment) => Settlement): Promise<Settlement> {
    const [early] = await runIn<Pick<EarlyCompletionRow, 'status' | 'completion' | 'at'>>(manager, statements.findEarly, valuesOf(key));
    const [awaited] = await runIn<{ created_at: Date }>(manager, statements.findAwaited, [key.integrationId]);
    const since = awaited?.created_at ?? early?.at;
    if (!since) throw new OrderNotFound();
    const settlement = change({
      id: '',
      ...key,
      status: early?.status ?? 'in_process',
      ...(early && { completion: this.seals.earlyFrom(key, early.completion) }),
      createdAt: since.getTime(),
    });
    if (settlement.outcome === 'settled') {
      const { completion } = settlement.owed;
      const kept = [settlement.payment.status, this.seals.early(key, completion), new Date(completion.at)];
      await runIn(manager, statements.keepEarly, [...valuesOf(key), ...kept]);
    }
    await this.keepDisagreement(manager, key, settlement);
    return settlement;
  }

  private async keepDisagreement(manager: EntityManager, key: PaymentKey, settlement: Settlement): Promise<void> {
    const disagreement = disagreementOf(settlement);
    if (!disagreement) return;
    const { kind, report } = disagreement;
    const { digest, sealed } = this.seals.disagreement(key, report);
    await runIn(manager, statements.keepDisagreement, [...valuesOf(key), digest, kind, sealed, report.requestId, new Date(report.at)]);
  }
}

/** The parameters of `settlePayments`: an array for each column, how many rows there are, and how long claims last. */
const columnsOf = (rows: readonly ResultRow[], { leases, leaseMs }: { leases: readonly (string | null)[]; leaseMs: number }): unknown[] => [
  ...rows[0]!.map((_value, column) => rows.map((row) => row[column])),
  ...[leases, rows.length, leaseMs],
];

const unclaimed = { leases: [null], leaseMs: 0 };

const claimed = ({ id, integrationId, completion }: OwedCompletion, lease: string): DueDelivery => ({
  id,
  integrationId,
  lease,
  lane: laneOfCompletion(completion),
  reason: 'schedule',
  owed: { kind: 'completion', completion },
  owedSince: completion.at,
  tries: 0,
});

function requireEnded(rows: readonly unknown[]): void {
  if (rows.length === 0) throw new Error('This payment was never intended, or has an id already');
}

/** The two parameters of every lookup. Throws MissingId. */
function valuesOf({ integrationId, orderPaymentId }: PaymentKey): [string, string] {
  requireIds({ integrationId, orderPaymentId });
  return [integrationId, orderPaymentId];
}
