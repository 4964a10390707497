import { refusal } from '../../shared/errors';
import { requireFeature, type Feature } from '../features';
import { requireAccepted, type Integration } from './integration';
import type { PartnerDirectory } from '../ports';

/**
 * Reads the current integration, for background work. Throws NO_INTEGRATION where it was removed or is not accepted, and what
 * `requireFeature` throws.
 */
export async function integrationById(
  directory: PartnerDirectory,
  { integrationId, feature }: { readonly integrationId: string; readonly feature: Feature },
): Promise<Integration> {
  const integrationRecord = await directory.integrationRecordById(integrationId);
  const hostApp = integrationRecord && (await directory.hostApp(integrationRecord.clientId));
  const miniapp = integrationRecord && (await directory.miniapp(integrationRecord.appId));
  if (!hostApp || !miniapp) throw refusal('invalid', 'NO_INTEGRATION', { side: 'platform' });
  const integration = requireAccepted(hostApp, miniapp, integrationRecord);
  const levels = { hostApp: hostApp.settings.features, miniapp: miniapp.settings.features, integration: integration.settings.features };
  requireFeature(feature, levels);
  return integration;
}
