import {
  disagreementOf,
  settle,
  type Disagreement,
  type OrderPayment,
  type OwedCompletion,
  type PaymentIntent,
  type Settlement,
} from '../../../domain/payments/order-payment';
import { OrderNotFound, unansweredForMs, type OrderPaymentRepository, type PaymentKey } from '../../../domain/payments/ports';
import { jsonEquals } from '../../../domain/shared/json';
import type { Clock } from '../../../domain/shared/ports';
import { requireIds } from '../../../domain/shared/required-id';

type IntentId = Pick<PaymentIntent, 'id' | 'integrationId'>;

interface Creation {
  readonly intent: PaymentIntent;
  readonly state: 'begun' | 'opened' | 'repeated' | 'refused' | 'unanswered';
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

/** Order payments in memory. Nothing is awaited between reading and writing, so nobody writes in between. */
export class MemoryOrderPaymentRepository implements OrderPaymentRepository {
  /** What is owed to miniapps, oldest first. */
  readonly owed: OwedCompletion[] = [];
  readonly disagreements: (Disagreement & PaymentKey)[] = [];
  private readonly creations = new Map<string, Creation>();
  private readonly payments = new Map<string, OrderPayment>();
  /** Provisional payments whose result came before their creation was answered. */
  private readonly early = new Map<string, OrderPayment>();

  constructor(private readonly clock: Clock) {}

  async intend(intent: PaymentIntent): Promise<void> {
    const { id, integrationId } = intent;
    requireIds({ id, integrationId });
    if (this.creations.has(id)) throw new Error('This payment was intended before');
    this.creations.set(id, { intent, state: 'begun', changedAt: intent.at });
  }

  async open({ id, integrationId }: IntentId, orderPaymentId: string): Promise<OrderPayment> {
    requireIds({ id });
    const key = { integrationId, orderPaymentId };
    const bound = this.payments.get(nameOf(key));
    if (bound?.id === id) return bound;
    const { intent } = this.end({ id, integrationId }, bound ? 'repeated' : 'opened');
    return bound ?? this.bind(intent, key);
  }

  async giveUp(intent: IntentId, how: 'refused' | 'unanswered'): Promise<void> {
    this.end(intent, how);
  }

  async find(key: PaymentKey): Promise<OrderPayment | undefined> {
    return this.payments.get(nameOf(key));
  }

  async settle(key: PaymentKey, change: (payment: OrderPayment) => Settlement): Promise<Settlement> {
    const name = nameOf(key);
    const known = this.payments.get(name);
    const payment = known ?? this.early.get(name) ?? this.provisional(key);
    const settlement = change(payment);
    if (settlement.outcome === 'settled') {
      (known ? this.payments : this.early).set(name, settlement.payment);
      if (known) this.owed.push(settlement.owed);
    }
    this.keepDisagreement(key, settlement);
    return settlement;
  }

  private bind({ id, order, at }: PaymentIntent, key: PaymentKey): OrderPayment {
    const { hostappUserId } = order.facts;
    const opened = {
      id,
      ...key,
      status: 'in_process',
      ...(hostappUserId !== undefined && { userReference: hostappUserId }),
      createdAt: at,
    } as const;
    const name = nameOf(key);
    const completion = this.early.get(name)?.completion;
    this.early.delete(name);
    const settlement = completion && settle(opened, completion);
    if (settlement?.outcome === 'settled') this.owed.push(settlement.owed);
    const payment = settlement?.payment ?? opened;
    this.payments.set(name, payment);
    return payment;
  }

  /** Stands for a payment that a creation still awaited may have opened. */
  private provisional({ integrationId, orderPaymentId }: PaymentKey): OrderPayment {
    const since = this.clock.now() - unansweredForMs;
    const awaited = [...this.creations.values()].findLast(
      ({ intent, state, changedAt }) =>
        intent.integrationId === integrationId && (state === 'begun' || state === 'unanswered') && changedAt > since,
    );
    if (!awaited) throw new OrderNotFound();
    return { id: '', integrationId, orderPaymentId, status: 'in_process', createdAt: awaited.intent.at };
  }

  private end({ id, integrationId }: IntentId, state: Creation['state']): Creation {
    requireIds({ id, integrationId });
    const creation = this.creations.get(id);
    if (creation?.intent.integrationId !== integrationId || creation.state === 'opened') {
      throw new Error('This payment was never intended, or is open already');
    }
    if (creation.state === 'repeated' && state !== 'repeated') throw new Error('This payment has another id already');
    const ended = { ...creation, state, changedAt: this.clock.now() };
    this.creations.set(id, ended);
    return ended;
  }

  private keepDisagreement(key: PaymentKey, settlement: Settlement): void {
    const disagreement = disagreementOf(settlement);
    if (!disagreement) return;
    const { kind, report } = disagreement;
    const isKept = this.disagreements.some(
      ({ report: kept, ...of }) =>
        nameOf(of) === nameOf(key) &&
        kept.word === report.word &&
        kept.failReason === report.failReason &&
        jsonEquals(kept.customAttributes, report.customAttributes),
    );
    if (!isKept) this.disagreements.push({ ...key, kind, report });
  }
}

/** Throws MissingId. */
const nameOf = ({ integrationId, orderPaymentId }: PaymentKey): string => {
  requireIds({ integrationId, orderPaymentId });
  return JSON.stringify([integrationId, orderPaymentId]);
};
