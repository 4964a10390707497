import type { IntegrationRecord, IntegrationSettings, Proposal } from '../../../../../domain/partners/integrations/integration';
import { defaultIntegrationSettings, type EventChecker, eventCheckers } from '../../../../../domain/partners/integrations/integration';
import { proposalRules } from '../../../../../domain/partners/integrations/proposal';
import type { PartnerKind } from '../../../../../domain/partners/registry-errors';
import type { PlainObject } from '../http/merge-patch';
import { FeaturesDto, featureSwitches } from '../partners/partner-parts.dto';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { Description, Flag, HeaderText, Nested, OneOf, Optional, Text } from '../../../../dto/decorators';

/** The settings of an integration (contract/resources#integration). */
@Description('The settings of an integration, as they are written.')
export class IntegrationDto {
  @Optional('Only an `accepted` integration carries calls; `suspended` stops them. `proposed` unless set.')
  @OneOf(['proposed', 'accepted', 'suspended'])
  status?: 'proposed' | 'accepted' | 'suspended';
  @Optional('Features that both partners agreed on; each must be on at the host app and the miniapp, too.')
  @Nested(() => FeaturesDto)
  features?: FeaturesDto;
  @Optional('Merchant id that signed requests of this integration carry, where the template holds `{merchant_id}`.')
  @HeaderText(64)
  merchant_id?: string;
  @Optional('`relay`, the default: one call that is answered at once; `durable`: kept and delivered until received.')
  @OneOf(['relay', 'durable'])
  event_delivery?: 'relay' | 'durable';
  @Optional('Checks that an event of the host app must pass: those of the `miniapp`, the default, of the `host_app`, or `both`.')
  @OneOf([...eventCheckers])
  host_app_events_checked_by?: EventChecker;
  @Optional('Whether the service asks the host app about payments that stay in process; true unless set.') @Flag() reconcile?: boolean;
  @Optional("Whether the miniapp stands in the host app's public list; true unless set.") @Flag() listed?: boolean;
}

export function integrationSettings(input: IntegrationDto): IntegrationSettings {
  return {
    ...defaultIntegrationSettings,
    ...present({
      status: input.status,
      features: featureSwitches(input.features),
      merchantId: input.merchant_id,
      eventDelivery: input.event_delivery,
      hostAppEventsCheckedBy: input.host_app_events_checked_by,
      reconcile: input.reconcile,
      listed: input.listed,
    }),
  };
}

/** An integration that one partner proposes to the other. */
@Description('An integration that one partner proposes to the other.')
export class ProposalDto {
  @Optional('Side on which the operator proposes; a partner proposes on its own side and may leave it out.')
  @OneOf(['host-app', 'miniapp'])
  by?: PartnerKind;
  @Optional('Features that the integration shall have; absent: none is set up.') @Nested(() => FeaturesDto) features?: FeaturesDto;
  @Optional('Words to the other partner, which sees them with the proposal.') @Text(proposalRules.noteLength) note?: string;
}

/** An integration in the form of the API. */
export function integrationView({ id, clientId, appId, version, settings, proposal }: IntegrationRecord): PlainObject {
  return present({
    client_id: clientId,
    app_id: appId,
    id,
    version,
    ...settingsView(settings),
    proposal: proposal && proposalView(proposal),
  });
}

/** The writable settings of an integration in the form of the API. */
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
