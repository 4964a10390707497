import { refusal } from '../shared/errors';
import { requireFeature, type Feature } from './features';
import { requireAccepted, type Integration } from './integration';
import type { PartnerDirectory } from './ports';

/**
 * The integration as it is now, for work that goes on without a caller. Throws NO_INTEGRATION where it is gone or not accepted,
 * and what `requireFeature` throws.
 */
export async function integrationById(
  directory: PartnerDirectory,
  { integrationId, feature }: { readonly integrationId: string; readonly feature: Feature },
): Promise<Integration> {
  const agreement = await directory.agreementById(integrationId);
  const hostApp = agreement && (await directory.hostApp(agreement.clientId));
  const miniapp = agreement && (await directory.miniapp(agreement.appId));
  if (!hostApp || !miniapp) throw refusal('invalid', 'NO_INTEGRATION', { side: 'platform' });
  const integration = requireAccepted(hostApp, miniapp, agreement);
  const levels = { hostApp: hostApp.settings.features, miniapp: miniapp.settings.features, integration: integration.settings.features };
  requireFeature(feature, levels);
  return integration;
}
