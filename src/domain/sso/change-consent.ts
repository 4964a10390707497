import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integrations/integration';
import type { Clock } from '../shared/ports';
import type { ConsentKey } from './consent';
import type { ConsentRepository } from './ports';

export interface ReadConsentCommand {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly reference: string;
}

/** Whether the user consented to this miniapp; false for an unknown user (contract/consent#get-consent). */
export class ReadConsent {
  constructor(private readonly deps: { consents: ConsentRepository }) {}

  execute({ relay, integration, reference }: ReadConsentCommand): Promise<boolean> {
    relay.trace.reference(reference);
    return this.deps.consents.isGranted(keyOf(integration, reference));
  }
}

export interface ChangeConsentCommand extends ReadConsentCommand {
  readonly granted: boolean;
  /** The name of the call in the consent records: `save_consent` or `revoke`. */
  readonly call: string;
  readonly fields?: readonly string[] | undefined;
  readonly textVersion?: string | undefined;
}

/** Grants or revokes a user's consent, and records the time and the call (contract/consent#ledger). */
export class ChangeConsent {
  constructor(private readonly deps: { consents: ConsentRepository; clock: Clock }) {}

  async execute({ relay, integration, reference, granted, call, fields, textVersion }: ChangeConsentCommand): Promise<boolean> {
    relay.trace.reference(reference);
    const at = this.deps.clock.now();
    const entry = { granted, fields, textVersion, call, requestId: relay.requestId, at, ...keyOf(integration, reference) };
    await this.deps.consents.record(entry);
    return granted;
  }
}

const keyOf = ({ id: integrationId, hostApp }: Integration, reference: string): ConsentKey => ({
  clientId: hostApp.id,
  integrationId,
  reference,
});
