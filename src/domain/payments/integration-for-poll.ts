import type { Integration } from '../partners/integrations/integration';
import { integrationById } from '../partners/integrations/integration-by-id';
import { EndpointNotSet } from '../partners/partner-errors';
import type { PartnerDirectory } from '../partners/ports';

/**
 * The integration of a payment, if its host app has a status URL. Throws NO_INTEGRATION, what `requireFeature` throws, and
 * ENDPOINT_URL_NOT_SET where the host app has no such URL.
 */
export async function integrationForPoll(directory: PartnerDirectory, integrationId: string): Promise<Integration> {
  const integration = await integrationById(directory, { integrationId, feature: 'payments' });
  if (integration.hostApp.settings.endpoints.getOrderPaymentStatus !== undefined) return integration;
  throw new EndpointNotSet({ side: 'hostapp', step: 'status' }, 'get_order_payment_status_url');
}
