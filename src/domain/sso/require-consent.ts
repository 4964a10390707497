import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integrations/integration';
import { refusal } from '../shared/errors';
import type { ConsentBySignOn, ConsentRepository } from './ports';

/** Throws CONSENT_REQUIRED where the host app requires consent and the user has not given it by save_consent. */
export async function requireConsent(repository: ConsentRepository, { id, hostApp }: Integration, reference: string): Promise<void> {
  if (!hostApp.settings.consentRequired) return;
  if (await repository.isGranted({ clientId: hostApp.id, integrationId: id, reference })) return;
  throw refusal('invalid', 'CONSENT_REQUIRED', { side: 'hostapp', setting: 'consent_required' });
}

/** The consent that a sign-on itself gives. `undefined` where only save_consent may give it (contract/consent#consent-required). */
export function consentBySignOn({ id, hostApp }: Integration, { requestId }: Relay, call: string): ConsentBySignOn | undefined {
  return hostApp.settings.consentRequired ? undefined : { integrationId: id, call, requestId };
}
