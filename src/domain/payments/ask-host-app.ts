import type { Relay } from '../exchanges/exchange';
import { spanOf } from '../exchanges/tracing';
import type { Integration } from '../partners/integration';
import type { CallAsStoredUser } from '../sso/call-as-stored-user';
import { callForUser, payingReference } from './call-for-user';
import type { Completion, OrderPayment } from './order-payment';
import type { HostAppPaymentGateway, StatusReport } from './ports';

/** The payment to poll, and the call on whose behalf. */
export interface StatusAsk {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly payment: OrderPayment;
}

/**
 * Asks a payment's host app how it stands, as the payment's own user where the host app wants that. Throws
 * HOSTAPP_USER_ID_REQUIRED, HOSTAPP_USER_NOT_FOUND and what the gateway throws.
 */
export async function askHostApp(
  { hostApp, users }: { hostApp: Pick<HostAppPaymentGateway, 'status'>; users: Pick<CallAsStoredUser, 'execute'> },
  { relay, integration, payment: { orderPaymentId, userReference } }: StatusAsk,
): Promise<StatusReport> {
  if (userReference !== undefined) relay.trace.reference(userReference);
  const reference = payingReference(integration, userReference);
  return callForUser(users, { relay, integration, reference }, (user) => hostApp.status(relay, integration, { orderPaymentId, user }));
}

/** The answer as if the host app had called to say it at `at`, in milliseconds since the epoch. */
export const asCompletion = ({ relay, integration, payment }: StatusAsk, report: StatusReport, at: number): Completion => ({
  clientId: integration.hostApp.id,
  appId: integration.miniapp.id,
  orderPaymentId: payment.orderPaymentId,
  ...report,
  requestId: relay.requestId,
  span: spanOf(relay.origin),
  at,
});
