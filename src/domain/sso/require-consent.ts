import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integration';
import { refusal } from '../shared/errors';
import type { ConsentBySignOn, ConsentLedger } from './ports';

/** Refuses with CONSENT_REQUIRED where the host app wants consent first and the user has not given it by save_consent. */
export async function requireConsent(ledger: ConsentLedger, { id, hostApp }: Integration, reference: string): Promise<void> {
  if (!hostApp.settings.consentRequired) return;
  if (await ledger.isGranted({ integrationId: id, reference })) return;
  throw refusal('invalid', 'CONSENT_REQUIRED', { side: 'hostapp', setting: 'consent_required' });
}

/** The consent that a sign-on itself gives; none where only save_consent may give it (contract/consent#consent-required). */
export function consentBySignOn({ id, hostApp }: Integration, { requestId }: Relay, call: string): ConsentBySignOn | undefined {
  return hostApp.settings.consentRequired ? undefined : { integrationId: id, call, requestId };
}
