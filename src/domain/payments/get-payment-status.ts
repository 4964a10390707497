import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integrations/integration';
import type { Clock } from '../shared/ports';
import type { CallAsStoredUser } from '../sso/call-as-stored-user';
import { asCompletion, pollHostApp, type StatusPoll } from './poll-host-app';
import { contradict, contradicts } from './order-payment';
import { OrderNotFound, type HostAppPaymentGateway, type OrderPaymentRepository, type StatusReport } from './ports';

export interface GetPaymentStatusCommand {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly orderPaymentId: string;
}

/**
 * Reads a payment's status from the host app, as the payment's user where the host app requires it, and passes it on
 * (contract/payments#get-payment-status). It settles nothing; a status that contradicts the stored result is kept as a conflict. Throws
 * ORDER_NOT_FOUND without a call to the host app, HOSTAPP_USER_ID_REQUIRED, HOSTAPP_USER_NOT_FOUND and what the gateway throws.
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
    const poll = { relay, integration, payment };
    const report = await pollHostApp(this.deps, poll);
    await this.keepContradiction(poll, report);
    return report;
  }

  private async keepContradiction(poll: StatusPoll, report: StatusReport): Promise<void> {
    if (!contradicts(poll.payment, report)) return;
    const completion = asCompletion(poll, report, this.deps.clock.now());
    await this.deps.payments.settle(poll.payment, (stored) => contradict(stored, completion));
  }
}
