import type { Integration } from '../partners/integration';
import { integrationById } from '../partners/integration-by-id';
import { EndpointNotSet } from '../partners/partner-errors';
import type { PartnerDirectory } from '../partners/ports';

/**
 * The integration whose host app can be asked how a payment stands, as it is now. Throws NO_INTEGRATION, what `requireFeature`
 * throws, and ENDPOINT_URL_NOT_SET where the host app has no URL for it.
 */
export async function askedIntegration(directory: PartnerDirectory, integrationId: string): Promise<Integration> {
  const integration = await integrationById(directory, { integrationId, feature: 'payments' });
  if (integration.hostApp.settings.endpoints.getOrderPaymentStatus !== undefined) return integration;
  throw new EndpointNotSet({ side: 'hostapp', step: 'status' }, 'get_order_payment_status_url');
}
