import {
  disagreementOf,
  settle,
  type Disagreement,
  type OrderPayment,
  type PendingCompletion,
  type PaymentIntent,
  type Settlement,
} from '../../../../domain/payments/order-payment';
import { OrderNotFound, unansweredForMs, type OrderPaymentRepository, type PaymentKey } from '../../../../domain/payments/ports';
import { jsonEquals } from '../../../../domain/shared/print-json';
import type { Clock } from '../../../../domain/shared/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import { strippedCompletion, strippedOrder } from '../../../../domain/sso/stripped';

type IntentId = Pick<PaymentIntent, 'id' | 'integrationId'>;

interface Creation {
  readonly intent: PaymentIntent;
  readonly state: 'begun' | 'opened' | 'repeated' | 'refused' | 'unanswered';
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

/** A payment in process, and the time of its first poll. */
export interface PlannedPayment {
  readonly payment: OrderPayment;
  readonly clientId: string;
  readonly firstPollAt: number;
}

/** Order payments in memory. There is no `await` between read and write, so changes are atomic. */
export class MemoryOrderPaymentRepository implements OrderPaymentRepository {
  /** Pending deliveries to miniapps, oldest first. */
  readonly pending: PendingCompletion[] = [];
  readonly disagreements: (Disagreement & PaymentKey)[] = [];
  private readonly creations = new Map<string, Creation>();
  private readonly payments = new Map<string, OrderPayment>();
  /** Provisional payments whose result arrived before the answer to their creation. */
  private readonly early = new Map<string, OrderPayment>();

  /** The provisional payments that turned out to have no payment. */
  private readonly unmatched = new Set<string>();
  /** Payments whose user was erased: the details of their results are gone, so every repeat would differ. */
  private readonly stripped = new Set<string>();

  constructor(private readonly clock: Clock) {}

  /** Payments in process that must be polled. */
  planned(): PlannedPayment[] {
    return [...this.payments.values()].flatMap((payment) => {
      const { clientId, firstPollAt } = this.creations.get(payment.id)?.intent ?? {};
      return clientId !== undefined && firstPollAt !== undefined && payment.status === 'in_process'
        ? [{ payment, clientId, firstPollAt }]
        : [];
    });
  }

  /** Marks results from before `before` that have no payment; returns the number of newly marked ones. */
  markUnmatched(before: number): number {
    const found = [...this.early].filter(([name, { completion }]) => (completion?.at ?? before) < before && !this.unmatched.has(name));
    for (const [name] of found) this.unmatched.add(name);
    return found.length;
  }

  /** Moves payments in process and early results `ms` milliseconds back in time. Returns the number of payments. */
  bringNearer(integrationId: string, ms: number): number {
    const ended = new Set([...this.payments.values()].filter(({ status }) => status !== 'in_process').map(({ id }) => id));
    const moved = [...this.creations.values()].filter(({ intent }) => intent.integrationId === integrationId && !ended.has(intent.id));
    for (const creation of moved) {
      const { intent, changedAt } = creation;
      this.creations.set(intent.id, { ...creation, intent: { ...intent, at: intent.at - ms }, changedAt: changedAt - ms });
    }
    for (const [name, payment] of this.payments) {
      if (payment.integrationId === integrationId && payment.status === 'in_process')
        this.payments.set(name, { ...payment, createdAt: payment.createdAt - ms });
    }
    for (const [name, payment] of this.early) {
      const { completion } = payment;
      if (payment.integrationId === integrationId && completion)
        this.early.set(name, { ...payment, completion: { ...completion, at: completion.at - ms } });
    }
    return moved.length;
  }

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
      if (known) this.pending.push(settlement.pending);
    }
    this.keepDisagreement(key, settlement);
    return settlement;
  }

  /**
   * Removes the data of a user from the payments that name the user. Returns the number of payments, their keys, and the number of pending
   * results.
   */
  strip(integrationIds: readonly string[], reference: string): { payments: number; keys: PaymentKey[]; pending: number } {
    const found = [...this.creations.values()].filter(
      ({ intent }) => intent.order.fields.hostappUserId === reference && integrationIds.includes(intent.integrationId),
    );
    const ids = new Set(found.map(({ intent }) => intent.id));
    for (const creation of found) {
      this.creations.set(creation.intent.id, { ...creation, intent: { ...creation.intent, order: strippedOrder(creation.intent.order) } });
    }
    const payments = [...this.payments.values()].filter(({ id }) => ids.has(id));
    for (const payment of payments) this.stripPayment(payment);
    return { payments: found.length, keys: payments, pending: this.pending.filter(({ id }) => ids.has(id)).length };
  }

  private stripPayment({ userReference: _user, completion, ...payment }: OrderPayment): void {
    const name = nameOf(payment);
    this.payments.set(name, { ...payment, ...(completion && { completion: strippedCompletion(completion) }) });
    this.stripped.add(name);
    for (const [i, kept] of this.disagreements.entries()) {
      if (nameOf(kept) === name) this.disagreements[i] = { ...kept, report: strippedCompletion(kept.report) };
    }
  }

  private bind({ id, order, at }: PaymentIntent, key: PaymentKey): OrderPayment {
    const { hostappUserId } = order.fields;
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
    if (settlement?.outcome === 'settled') this.pending.push(settlement.pending);
    const payment = settlement?.payment ?? opened;
    this.payments.set(name, payment);
    return payment;
  }

  /** A placeholder for a payment that a creation without an answer may have opened. */
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
    if (kind === 'difference' && this.stripped.has(nameOf(key))) return;
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
