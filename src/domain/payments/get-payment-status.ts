import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integration';
import type { Clock } from '../shared/ports';
import type { CallAsStoredUser } from '../sso/call-as-stored-user';
import { asCompletion, askHostApp, type StatusAsk } from './ask-host-app';
import { contradict, contradicts } from './order-payment';
import { OrderNotFound, type HostAppPaymentGateway, type OrderPaymentRepository, type StatusReport } from './ports';

export interface GetPaymentStatusCommand {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly orderPaymentId: string;
}

/**
 * How a payment of this integration stands, asked of the host app (contract/payments#get-payment-status), as the payment's own user
 * where the host app wants that. The answer is passed on and settles nothing; one that contradicts the result that was taken
 * is kept as a conflict. Throws ORDER_NOT_FOUND without asking anybody, HOSTAPP_USER_ID_REQUIRED, HOSTAPP_USER_NOT_FOUND and
 * what the gateway throws.
 */
export class GetPaymentStatus {
  constructor(
    private readonly deps: {
      payments: OrderPaymentRepository;
      hostApp: HostAppPaymentGateway;
      users: Pick<CallAsStoredUser, 'execute'>;
      clock: Clock;
    },
  ) {}

  async execute({ relay, integration, orderPaymentId }: GetPaymentStatusCommand): Promise<StatusReport> {
    const payment = await this.deps.payments.find({ integrationId: integration.id, orderPaymentId });
    if (!payment) throw new OrderNotFound();
    relay.trace.partOf(payment.id);
    const ask = { relay, integration, payment };
    const report = await askHostApp(this.deps, ask);
    await this.keepContradiction(ask, report);
    return report;
  }

  private async keepContradiction(ask: StatusAsk, report: StatusReport): Promise<void> {
    if (!contradicts(ask.payment, report)) return;
    const said = asCompletion(ask, report, this.deps.clock.now());
    await this.deps.payments.settle(ask.payment, (stored) => contradict(stored, said));
  }
}
