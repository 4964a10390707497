import { randomBytes } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { Json } from '../../domain/shared/json';
import { printJson } from '../../domain/shared/print-json';
import { reportCompletion, type MadeReport, type ReportsTo } from './completion-calls';
import { magicOf, type Magic } from './magic-values';
import { planOfCancelling, planOfPaying, type SheetPlan, type SheetResult } from './pay-sheet';
import { bodyOf, jsonMember, textOf } from '../read-body';
import { Recent } from './recent';
import { Refusal } from './refusal';
import type { SandboxTime } from '../clock/sandbox-time';

/** The price in the order. */
interface Sum {
  readonly amount: string;
  readonly currency: string;
}

interface RecordedPayment {
  readonly id: string;
  readonly appId: string;
  readonly magic: Magic | undefined;
  readonly sum: Sum;
  status: 'in_process' | SheetResult;
  failReason?: string | undefined;
  /** Set when the user has acted on the sheet: it does not open again. */
  sheetUsed: boolean;
  readonly reports: MadeReport[];
}

/** The sandbox host app's payment system: its records, the payment sheet for users, and its reports to the service. */
export class PaymentSimulator {
  private readonly records = new Recent<RecordedPayment>();
  private readonly byIdempotencyKey = new Recent<{ readonly body: string; readonly id: string }>();
  private readonly refusedOnce = new Recent<true>();
  private readonly waiting = new Set<() => void>();
  private reportsTo: ReportsTo | undefined;

  constructor(private readonly time: SandboxTime) {}

  /** Sets where to report; before that no sheet opens. */
  reportTo(reportsTo: ReportsTo): void {
    this.reportsTo = reportsTo;
  }

  /** Cancels the pending reports. */
  close(): void {
    for (const stop of this.waiting) stop();
    this.waiting.clear();
  }

  /** Create order payment URL. A repeated call with the same Idempotency-Key creates nothing and gets the first answer. */
  readonly create: RequestHandler = (request, response) => {
    const [appId, order] = [textOf(request, 'app_id'), bodyOf(request).get('order')];
    const sum = requireOrder(request, order);
    const magic = magicOf(sum.amount);
    const [key, body] = [request.get('idempotency-key'), printJson(bodyOf(request))];
    const first = key === undefined ? undefined : this.byIdempotencyKey.get(key);
    if (magic === 'always refused') throw tokenExpired();
    if (magic === 'refused once' && !first && !this.wasRefused(key ?? body)) throw tokenExpired();
    if (first && first.body !== body) throw new Refusal(400, 'IDEMPOTENCY_MISMATCH', 'The key was used with another body');
    const id = first?.id ?? this.open(appId, { magic, sum });
    if (key !== undefined) this.byIdempotencyKey.set(key, { body, id });
    if (magic === 'times out') return; // The payment is open and its answer lost: the caller has to give up.
    if (magic === 'malformed') response.type('application/json').send(`{"order_payment_id":"${id}`);
    else response.json({ order_payment_id: id });
  };

  /** Get order payment status URL; answers from the host app's own records. */
  readonly status: RequestHandler = (request, response) => {
    const [id, appId, clientId] = [textOf(request, 'order_payment_id'), textOf(request, 'app_id'), textOf(request, 'client_id')];
    const payment = this.find(id);
    if (payment.appId !== appId) throw orderNotFound();
    response.json({ app_id: appId, client_id: clientId, ...stateOf(payment) });
  };

  /** The user confirms on the payment sheet. The reports are sent before the answer, unless they are late. */
  readonly pay: RequestHandler<{ id: string }> = async (request, response) => {
    const payment = this.takeSheet(request);
    await this.follow(planOfPaying(payment.magic), payment, request.get('x-request-id'));
    response.json(viewOf(payment));
  };

  /** The user closes the payment sheet. */
  readonly cancel: RequestHandler<{ id: string }> = async (request, response) => {
    const payment = this.takeSheet(request);
    await this.follow(planOfCancelling, payment, request.get('x-request-id'));
    response.json(viewOf(payment));
  };

  readonly show: RequestHandler<{ id: string }> = (request, response) => {
    response.json(viewOf(this.find(request.params.id)));
  };

  readonly list: RequestHandler = (_request, response) => {
    response.json({ data: this.records.all().map(viewOf) });
  };

  private open(appId: string, { magic, sum }: Pick<RecordedPayment, 'magic' | 'sum'>): string {
    const id = `pay_${randomBytes(12).toString('hex')}`;
    this.records.set(id, { id, appId, magic, sum, status: 'in_process', sheetUsed: false, reports: [] });
    return id;
  }

  /** Whether the previous call was refused. This also resets the memory, so that the call after it is refused again. */
  private wasRefused(call: string): boolean {
    if (this.refusedOnce.take(call)) return true;
    this.refusedOnce.set(call, true);
    return false;
  }

  private find(id: string): RecordedPayment {
    const payment = this.records.get(id);
    if (!payment) throw orderNotFound();
    return payment;
  }

  private takeSheet(request: Request<{ id: string }>): RecordedPayment {
    if (!this.reportsTo) throw new Refusal(401, 'ACCESS_DENIED', 'The sandbox host app is not set up yet');
    const payment = this.find(request.params.id);
    if (payment.sheetUsed) throw new Refusal(400, 'INVALID_PAYMENT_STATUS', 'The payment sheet was used before');
    payment.sheetUsed = true;
    return payment;
  }

  private async follow(plan: SheetPlan, payment: RecordedPayment, requestId: string | undefined): Promise<void> {
    if (plan.afterMs === 0) {
      await this.settle(plan, payment, requestId);
      return;
    }
    const stop = this.time.schedule(plan.afterMs, () => {
      this.waiting.delete(stop);
      return this.settle(plan, payment, requestId);
    });
    this.waiting.add(stop);
  }

  /** Updates the records first, so that a status poll after a report finds the reported result. */
  private async settle({ reports }: SheetPlan, payment: RecordedPayment, requestId: string | undefined): Promise<void> {
    const { reportsTo } = this;
    const [first] = reports;
    if (!first || !reportsTo) return;
    payment.status = first.result;
    payment.failReason = first.failReason;
    for (const report of reports) payment.reports.push(await reportCompletion(reportsTo, { payment, report, requestId }));
  }
}

/** Requires amount and currency, and the user of the token. */
function requireOrder(request: Request, order: Json | undefined): Sum {
  const [amount, currency] = [jsonMember(order, 'amount'), jsonMember(order, 'currency')];
  if (amount === undefined || currency === undefined) {
    throw new Refusal(400, 'INVALID_ORDER_DATA', 'order: amount and currency are required');
  }
  const userId = request.get('x-user-id');
  if (userId !== undefined && jsonMember(order, 'hostapp_user_id') !== userId) {
    throw new Refusal(400, 'INVALID_ORDER_DATA', 'order: hostapp_user_id is not the X-User-ID');
  }
  return { amount: textIn(amount), currency: textIn(currency) };
}

/** Text of a number as it was sent; any other value is printed as JSON. */
const textIn = (value: Json): string => (typeof value === 'string' ? value : printJson(value));

const tokenExpired = (): Refusal => new Refusal(401, 'EXPIRED_ACCESS_TOKEN', 'The access token has expired');
const orderNotFound = (): Refusal => new Refusal(400, 'ORDER_NOT_FOUND', 'No such order payment');

const stateOf = ({ id, status, failReason }: RecordedPayment) => ({
  order_payment_id: id,
  payment_status: status,
  ...(failReason === undefined ? {} : { payment_fail_reason: failReason }),
});

const viewOf = (payment: RecordedPayment) => ({
  app_id: payment.appId,
  ...stateOf(payment),
  ...payment.sum,
  complete_order: payment.reports,
});
