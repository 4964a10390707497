import type { Relay } from '../exchanges/exchange';
import { spanOf } from '../exchanges/tracing';
import type { Integration } from '../partners/integrations/integration';
import type { CallAsStoredUser } from '../sso/call-as-stored-user';
import { callForUser, payingReference } from './call-for-user';
import type { Completion, OrderPayment } from './order-payment';
import type { HostAppPaymentGateway, StatusReport } from './ports';

/** The payment to poll, and the relay that causes the poll. */
export interface StatusPoll {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly payment: OrderPayment;
}

/**
 * Reads the status of a payment from its host app, as the payment's user where the host app requires it. Throws HOSTAPP_USER_ID_REQUIRED,
 * HOSTAPP_USER_NOT_FOUND and what the gateway throws.
 */
export async function pollHostApp(
  { hostApp, users }: { hostApp: Pick<HostAppPaymentGateway, 'status'>; users: Pick<CallAsStoredUser, 'execute'> },
  { relay, integration, payment: { orderPaymentId, userReference } }: StatusPoll,
): Promise<StatusReport> {
  if (userReference !== undefined) relay.trace.reference(userReference);
  const reference = payingReference(integration, userReference);
  return callForUser(users, { relay, integration, reference }, (user) => hostApp.status(relay, integration, { orderPaymentId, user }));
}

/** Converts the polled status to a completion reported at `at`, in milliseconds since the epoch. */
export const asCompletion = ({ relay, integration, payment }: StatusPoll, report: StatusReport, at: number): Completion => ({
  clientId: integration.hostApp.id,
  appId: integration.miniapp.id,
  orderPaymentId: payment.orderPaymentId,
  ...report,
  requestId: relay.requestId,
  span: spanOf(relay.origin),
  at,
});
