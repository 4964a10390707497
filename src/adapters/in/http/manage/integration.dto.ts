import type { Agreement, IntegrationSettings, Proposal } from '../../../../domain/partners/integration';
import { defaultIntegrationSettings, type EventChecker, eventCheckers } from '../../../../domain/partners/integration';
import { proposalRules } from '../../../../domain/partners/proposal';
import type { PartnerKind } from '../../../../domain/partners/registry-errors';
import type { PlainObject } from './merge-patch';
import { FeaturesDto, featureSwitches } from './partner-parts.dto';
import { timeText } from './partner-wire';
import { present } from './present';
import { Flag, HeaderText, Nested, OneOf, Optional, Text } from '../../../dto/decorators';

/** An integration as it is written and read (contract/resources#integration). */
export class IntegrationDto {
  @Optional() @OneOf(['proposed', 'accepted', 'suspended']) status?: 'proposed' | 'accepted' | 'suspended';
  @Optional() @Nested(() => FeaturesDto) features?: FeaturesDto;
  @Optional() @HeaderText(64) merchant_id?: string;
  @Optional() @OneOf(['relay', 'durable']) event_delivery?: 'relay' | 'durable';
  @Optional() @OneOf([...eventCheckers]) host_app_events_checked_by?: EventChecker;
  @Optional() @Flag() reconcile?: boolean;
  @Optional() @Flag() listed?: boolean;
}

export function integrationSettings(facts: IntegrationDto): IntegrationSettings {
  return {
    ...defaultIntegrationSettings,
    ...present({
      status: facts.status,
      features: featureSwitches(facts.features),
      merchantId: facts.merchant_id,
      eventDelivery: facts.event_delivery,
      hostAppEventsCheckedBy: facts.host_app_events_checked_by,
      reconcile: facts.reconcile,
      listed: facts.listed,
    }),
  };
}

/** What a partner puts before the other. */
export class ProposalDto {
  /** On whose side the operator proposes; a partner proposes on its own. */
  @Optional() @OneOf(['host-app', 'miniapp']) by?: PartnerKind;
  @Optional() @Nested(() => FeaturesDto) features?: FeaturesDto;
  @Optional() @Text(proposalRules.noteLength) note?: string;
}

/** An integration as it is shown. */
export function integrationView({ id, clientId, appId, version, settings, proposal }: Agreement): PlainObject {
  return present({
    client_id: clientId,
    app_id: appId,
    id,
    version,
    ...settingsView(settings),
    proposal: proposal && proposalView(proposal),
  });
}

/** What can be written of an integration, as it is shown. */
export const settingsView = (settings: IntegrationSettings): PlainObject =>
  present({
    status: settings.status,
    features: { ...settings.features },
    merchant_id: settings.merchantId,
    event_delivery: settings.eventDelivery,
    host_app_events_checked_by: settings.hostAppEventsCheckedBy,
    reconcile: settings.reconcile,
    listed: settings.listed,
  });

const proposalView = ({ by, note, at, declinedAt }: Proposal): PlainObject =>
  present({ by, note, at: timeText(at), declined_at: timeText(declinedAt) });
