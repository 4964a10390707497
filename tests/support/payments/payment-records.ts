import type { PaymentWord } from '../../../src/domain/payments/order-payment';
import type { JsonObject } from '../../../src/domain/shared/json';

/** One request for a payment, as a host app saw it. */
export interface CreatedPayment {
  readonly appId: string;
  /** As JSON text. */
  readonly order: string;
  readonly idempotencyKey: string;
  readonly userId: string | undefined;
  readonly accessToken: string | undefined;
}

/** How a payment stands at the host app. */
export interface Standing {
  readonly word: string;
  readonly failReason?: string | undefined;
  readonly customAttributes?: JsonObject | undefined;
}

/** What a host app knows of payments. Behind the fake gateway and the stub alike. */
export class PaymentRecords {
  /** Every request, those that were made before included. */
  readonly requests: CreatedPayment[] = [];
  private readonly byKey = new Map<string, string>();
  private readonly payments = new Map<string, Standing>();
  private readonly refusedTokens = new Set<string>();

  /** A key that was seen before gets the payment of before. */
  open(request: CreatedPayment): string {
    this.requests.push(request);
    const orderPaymentId = this.byKey.get(request.idempotencyKey) ?? `op-${String(this.byKey.size + 1)}`;
    this.byKey.set(request.idempotencyKey, orderPaymentId);
    if (!this.payments.has(orderPaymentId)) this.payments.set(orderPaymentId, { word: 'in_process' });
    return orderPaymentId;
  }

  status(orderPaymentId: string): Standing | undefined {
    return this.payments.get(orderPaymentId);
  }

  settle(orderPaymentId: string, word: PaymentWord, more: Omit<Standing, 'word'> = {}): void {
    this.payments.set(orderPaymentId, { word, ...more });
  }

  /** Says a word that is none of the contract's. */
  mumble(orderPaymentId: string, word: string): void {
    this.payments.set(orderPaymentId, { word });
  }

  /** Does not take this user access token any more. */
  rejectToken(accessToken: string): void {
    this.refusedTokens.add(accessToken);
  }

  takes(accessToken: string | undefined): boolean {
    return accessToken === undefined || !this.refusedTokens.has(accessToken);
  }
}
