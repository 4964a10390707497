import { defaultMiniappSettings, type Miniapp, type MiniappSettings } from '../../../../../domain/partners/miniapp';
import { miniappWarnings } from '../../../../../domain/partners/setting-warnings';
import type { PlainObject } from '../http/merge-patch';
import { MiniappDto } from './miniapp.dto';
import { featureSwitches, ipWhitelist, ipWhitelistView } from './partner-parts.dto';
import { type PartnerMapper, viewEnd } from './partner-mapper';
import { present } from '../http/present';
import { readWholeDto } from '../../../../dto/read-dto';
import { signatureSettings, signatureView } from '../credentials/signature-mapper';

export const miniappMapper: PartnerMapper<Miniapp> = {
  kind: 'miniapp',
  Dto: MiniappDto,
  read: (plain) => {
    const reading = readWholeDto(MiniappDto, plain);
    const { get_auth_token_url, webhook_url, events_bridge_url } = reading.dto;
    return { ...reading, settings: settingsOf(reading.dto), calledUrls: { get_auth_token_url, webhook_url, events_bridge_url } };
  },
  view: miniappView,
};

function settingsOf(input: MiniappDto): MiniappSettings {
  return {
    ...defaultMiniappSettings,
    ...present({ name: input.name, logo: input.logo, url: input.url, kind: input.kind, whiteListedUrls: input.white_listed_urls }),
    ...present({ takesProposals: input.takes_proposals, analyticsSignature: input.analytics_signature }),
    ...present({ longDescription: input.long_description, category: input.category }),
    requiredUserFields: [...new Set(input.required_user_fields)],
    endpoints: present({
      getAuthToken: input.get_auth_token_url,
      webhook: input.webhook_url,
      eventsBridge: input.events_bridge_url,
    }),
    ipWhitelist: ipWhitelist(input.ip_whitelist),
    features: featureSwitches(input.features),
    signature: signatureSettings(input.signature),
  };
}

/** A miniapp in the form of the API. `Object.assign`, because an object with spreads before members costs ten times as much. */
function miniappView(miniapp: Miniapp): PlainObject {
  const { id, version, settings, credentials } = miniapp;
  return Object.assign(
    present({
      app_id: id,
      version,
      name: settings.name,
      logo: settings.logo,
      url: settings.url,
      long_description: settings.longDescription,
      category: settings.category,
      kind: settings.kind,
      required_user_fields: [...settings.requiredUserFields],
      get_auth_token_url: settings.endpoints.getAuthToken,
      webhook_url: settings.endpoints.webhook,
      events_bridge_url: settings.endpoints.eventsBridge,
      white_listed_urls: [...settings.whiteListedUrls],
    }),
    {
      ip_whitelist: ipWhitelistView(settings.ipWhitelist),
      features: { ...settings.features },
      takes_proposals: settings.takesProposals,
      signature: signatureView(settings.signature, credentials),
      analytics_signature: settings.analyticsSignature,
    },
    viewEnd(miniapp, miniappWarnings(miniapp)),
  );
}
