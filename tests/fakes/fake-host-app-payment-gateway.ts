import type { Relay } from '../../src/domain/exchanges/exchange';
import type { Integration } from '../../src/domain/partners/integrations/integration';
import { PartnerGarbled, PartnerRefused, UserTokenRejected, type PartnerLeg } from '../../src/domain/partners/partner-errors';
import { statusOfWord, type PaymentWord } from '../../src/domain/payments/order-payment';
import type {
  HostAppPaymentGateway,
  OpenedPayment,
  PayingUser,
  PaymentRequest,
  StatusReport,
  StatusRequest,
} from '../../src/domain/payments/ports';
import { printJson } from '../../src/domain/shared/print-json';
import { PaymentRecords } from '../support/payments/payment-records';
import { PartnerMood } from './partner-mood';

const create: PartnerLeg = { side: 'hostapp', step: 'create' };
const status: PartnerLeg = { side: 'hostapp', step: 'status' };

/** A host app that opens payments in its own records and misbehaves on request. */
export class FakeHostAppPaymentGateway extends PartnerMood implements HostAppPaymentGateway {
  readonly records = new PaymentRecords();
  /** Every call as it was made, those that failed included. */
  readonly creations: PaymentRequest[] = [];
  readonly lookups: StatusRequest[] = [];
  private error: Error | undefined;
  private work: () => Promise<void> = async () => undefined;

  /** Every creation fails so from now on. */
  failWith(error: Error): void {
    this.error = error;
  }

  /** Happens from now on after a creation came in, and before it is answered. */
  meanwhile(work: () => Promise<void>): void {
    this.work = work;
  }

  async create(_relay: Relay, integration: Integration, request: PaymentRequest): Promise<OpenedPayment> {
    this.creations.push(request);
    const { order, once, user } = request;
    await this.work();
    if (this.error) throw this.error;
    this.failIfSet(create);
    this.requireToken(create, user);
    const idempotencyKey = JSON.stringify([integration.id, once]);
    const [userId, accessToken] = [user?.reference, user?.accessToken.reveal()];
    return {
      orderPaymentId: this.records.open({
        appId: integration.miniapp.id,
        order: printJson(order.relayed),
        idempotencyKey,
        userId,
        accessToken,
      }),
    };
  }

  async status(_relay: Relay, _integration: Integration, request: StatusRequest): Promise<StatusReport> {
    this.lookups.push(request);
    const { orderPaymentId, user } = request;
    this.failIfSet(status);
    this.requireToken(status, user);
    const standing = this.records.status(orderPaymentId);
    if (!standing) throw new PartnerRefused(status, 'PAYMENT_NOT_FOUND', 'PAYMENT_NOT_FOUND');
    const { word, ...more } = standing;
    if (!Object.hasOwn(statusOfWord, word)) throw new PartnerGarbled(status, 'INVALID_PAYMENT_STATUS_RESPONSE');
    return { word: word as PaymentWord, ...more };
  }

  private requireToken(leg: PartnerLeg, user: PayingUser | undefined): void {
    if (this.records.takes(user?.accessToken.reveal())) return;
    throw new UserTokenRejected(leg, 'EXPIRED_ACCESS_TOKEN', 'The access token has expired');
  }
}
