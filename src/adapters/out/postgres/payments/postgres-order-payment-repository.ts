import type { DataSource, EntityManager } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import { disagreementOf, settle, type OrderPayment, type PaymentIntent, type Settlement } from '../../../../domain/payments/order-payment';
import {
  OrderNotFound,
  type KeptSettlement,
  type OpenedIntent,
  type OrderPaymentRepository,
  type PaymentKey,
} from '../../../../domain/payments/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import { columnParameters } from '../connection/array-parameters';
import { GroupedStatements } from '../connection/grouped-statements';
import { PaymentCreations, requireEnded, type IntentId } from './payment-creations';
import type { EarlyCompletionRow } from './payment.schema';
import { PaymentResults } from './payment-results';
import { nameOf, PaymentSeals, type PaymentRow } from './payment-seals';
import * as statements from './payment-statements';
import type { ReferenceIndex } from '../sealing/reference-index';
import { run, runIn, transaction } from '../connection/statement';

type Change = (payment: OrderPayment) => Settlement;

/** The maximum number of payments that one statement looks up. */
const maxGroupSize = 64;

interface Deps {
  readonly db: DataSource;
  readonly box: SecretCipher;
  readonly index: ReferenceIndex;
}

/**
 * Order payments in Postgres. Orders, users and reports are sealed. A result, its delivery and reports that contradict it are stored in one
 * transaction.
 */
export class PostgresOrderPaymentRepository implements OrderPaymentRepository {
  private readonly seals: PaymentSeals;
  private readonly finds = new GroupedStatements<PaymentKey, PaymentRow | undefined>({ maxGroupSize, run: (keys) => this.findAll(keys) });
  private readonly creations: PaymentCreations;
  private readonly results: PaymentResults;

  constructor(private readonly deps: Deps) {
    this.seals = new PaymentSeals(deps);
    this.creations = new PaymentCreations({ db: deps.db, seals: this.seals, index: deps.index });
    this.results = new PaymentResults({ db: deps.db, seals: this.seals });
  }

  intend(intent: PaymentIntent): Promise<void> {
    return this.creations.intend(intent);
  }

  async open(intent: IntentId, orderPaymentId: string): Promise<OpenedIntent> {
    const { id, integrationId } = intent;
    requireIds({ id, integrationId, orderPaymentId });
    const key = { integrationId, orderPaymentId };
    if (await this.creations.open({ id, ...key })) return { id };
    return transaction(this.deps.db, async (manager) => {
      await runIn(manager, statements.lockKey, valuesOf(key));
      const bound = await this.lock(manager, key);
      if (!bound) return this.bind(manager, intent, key);
      if (bound.id !== id) requireEnded(await runIn(manager, statements.endIntent, [id, integrationId, 'repeated']));
      return bound;
    });
  }

  giveUp(intent: IntentId, how: 'refused' | 'unanswered'): Promise<void> {
    return this.creations.giveUp(intent, how);
  }

  async find(key: PaymentKey): Promise<OrderPayment | undefined> {
    valuesOf(key);
    const row = await this.finds.add(key);
    return row && this.seals.payment(row);
  }

  async settle(key: PaymentKey, change: Change, { claimForMs }: { claimForMs?: number | undefined } = {}): Promise<KeptSettlement> {
    const values = valuesOf(key);
    const settlement = await this.settleStored(key, change, claimForMs);
    if (settlement) return settlement;
    return transaction(this.deps.db, async (manager) => {
      const known = await this.lock(manager, key);
      if (known) return this.settleKnown(manager, key, change(known));
      await runIn(manager, statements.lockKey, values);
      // The key was bound while this transaction waited for its lock, so the earlier read is out of date.
      const bound = await this.lock(manager, key);
      if (bound) return this.settleKnown(manager, key, change(bound));
      return this.settleEarly(manager, key, change);
    });
  }

  /** Resolves to `undefined` when the settlement needs the row's lock. */
  private async settleStored(key: PaymentKey, change: Change, claimForMs: number | undefined): Promise<KeptSettlement | undefined> {
    const stored = await this.find(key);
    if (!stored) return undefined;
    const settlement = change(stored);
    // A result never changes, so a report that changes nothing needs no lock and does not wait for one.
    if (stored.completion) return disagreementOf(settlement) ? undefined : settlement;
    if (settlement.outcome !== 'settled') return undefined;
    // Nearly always no other report arrives at the same time, and one statement is enough.
    const written = await this.results.add(settlement, claimForMs);
    return written && Object.assign({}, settlement, written);
  }

  private async lock(manager: EntityManager, key: PaymentKey): Promise<OrderPayment | undefined> {
    const [row] = await runIn<PaymentRow>(manager, statements.lock, valuesOf(key));
    return row && this.seals.payment(row);
  }

  /** Binds the intent to this payment id. The payment ends at once when its completion arrived first. */
  private async bind(manager: EntityManager, { id, integrationId }: IntentId, key: PaymentKey): Promise<OrderPayment> {
    const [row] = await runIn<PaymentRow>(manager, statements.bind, [id, integrationId, key.orderPaymentId]);
    if (!row) throw new Error('This payment was never intended, or has another id already');
    const opened = await this.seals.payment(row);
    const [early] = await runIn<Pick<EarlyCompletionRow, 'completion'>>(manager, statements.takeEarly, valuesOf(key));
    if (!early) return opened;
    const { payment } = await this.settleKnown(manager, key, settle(opened, await this.seals.earlyFrom(key, early.completion)));
    return payment;
  }

  private async settleKnown(manager: EntityManager, key: PaymentKey, settlement: Settlement): Promise<Settlement> {
    if (settlement.outcome === 'settled') await this.results.write(manager, settlement);
    await this.keepDisagreement(manager, key, settlement);
    return settlement;
  }

  private async findAll(keys: readonly PaymentKey[]): Promise<(PaymentRow | undefined)[]> {
    const columns = columnParameters(
      ['text', 'text'],
      keys.map(({ integrationId, orderPaymentId }) => [integrationId, orderPaymentId]),
    );
    const rows = await run<PaymentRow>(this.deps.db, statements.findAll, [...columns, keys.length]);
    const found = new Map(rows.map((row) => [nameOf({ integrationId: row.integration_id, orderPaymentId: row.order_payment_id }), row]));
    return keys.map((key) => found.get(nameOf(key)));
  }

  /** The id is unknown. If a creation without an answer may still return it, the first result is stored until the answer arrives. */
  private async settleEarly(manager: EntityManager, key: PaymentKey, change: Change): Promise<Settlement> {
    const [early] = await runIn<Pick<EarlyCompletionRow, 'status' | 'completion' | 'at'>>(manager, statements.findEarly, valuesOf(key));
    const [awaited] = await runIn<{ created_at: Date }>(manager, statements.findAwaited, [key.integrationId]);
    const since = awaited?.created_at ?? early?.at;
    if (!since) throw new OrderNotFound();
    const settlement = change({
      id: '',
      ...key,
      status: early?.status ?? 'in_process',
      ...(early && { completion: await this.seals.earlyFrom(key, early.completion) }),
      createdAt: since.getTime(),
    });
    if (settlement.outcome === 'settled') {
      const { completion } = settlement.pending;
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

/** The two parameters of every lookup. Throws MissingId. */
function valuesOf({ integrationId, orderPaymentId }: PaymentKey): [string, string] {
  requireIds({ integrationId, orderPaymentId });
  return [integrationId, orderPaymentId];
}
