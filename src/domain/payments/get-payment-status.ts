import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integration';
import type { CallAsStoredUser } from '../sso/call-as-stored-user';
import { callForUser, payingReference } from './call-for-user';
import { OrderNotFound, type HostAppPaymentGateway, type OrderPaymentRepository, type StatusReport } from './ports';

export interface GetPaymentStatusCommand {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly orderPaymentId: string;
}

/**
 * How a payment of this integration stands, asked of the host app (contract, get-payment-status), as the payment's own user
 * where the host app wants that. The answer is passed on and settles nothing: only a completion does. Throws ORDER_NOT_FOUND
 * without asking anybody, HOSTAPP_USER_ID_REQUIRED, HOSTAPP_USER_NOT_FOUND and what the gateway throws.
 */
export class GetPaymentStatus {
  constructor(
    private readonly deps: {
      payments: OrderPaymentRepository;
      hostApp: HostAppPaymentGateway;
      users: Pick<CallAsStoredUser, 'execute'>;
    },
  ) {}

  async execute({ relay, integration, orderPaymentId }: GetPaymentStatusCommand): Promise<StatusReport> {
    const payment = await this.deps.payments.find({ integrationId: integration.id, orderPaymentId });
    if (!payment) throw new OrderNotFound();
    if (payment.userReference !== undefined) relay.trace.reference(payment.userReference);
    const reference = payingReference(integration, payment.userReference);
    return callForUser(this.deps.users, { relay, integration, reference }, (user) =>
      this.deps.hostApp.status(relay, integration, { orderPaymentId, user }),
    );
  }
}
