import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integration';
import { refusal } from '../shared/errors';
import type { ConsentEntry } from './consent';
import type { ConsentLedger } from './ports';

/** Refuses with CONSENT_REQUIRED where the host app wants consent first and the user has not given it by save_consent. */
export async function requireConsent(ledger: ConsentLedger, { id, hostApp }: Integration, reference: string): Promise<void> {
  if (!hostApp.settings.consentRequired) return;
  if (await ledger.isGranted({ integrationId: id, reference })) return;
  throw refusal('invalid', 'CONSENT_REQUIRED', { side: 'hostapp', setting: 'consent_required' });
}

/** What a sign-on itself says about consent: granted; nothing where only save_consent may say so (decisions §2, consent). */
export function consentBySignOn(
  { id, hostApp }: Integration,
  { requestId }: Relay,
  { reference, call, at }: Pick<ConsentEntry, 'reference' | 'call' | 'at'>,
): ConsentEntry | undefined {
  if (hostApp.settings.consentRequired) return undefined;
  return { integrationId: id, reference, granted: true, call, requestId, at };
}
