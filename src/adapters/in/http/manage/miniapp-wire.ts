import { defaultMiniappSettings, type Miniapp, type MiniappSettings } from '../../../../domain/partners/miniapp';
import { miniappWarnings } from '../../../../domain/partners/setting-warnings';
import type { PlainObject } from './merge-patch';
import { MiniappDto } from './miniapp.dto';
import { featureSwitches, ipWhitelist, ipWhitelistView } from './partner-parts.dto';
import { type PartnerWire, viewEnd } from './partner-wire';
import { present } from './present';
import { readWholeDto } from '../../../dto/read-dto';
import { signatureSettings, signatureView } from './signature-wire';

export const miniappWire: PartnerWire<Miniapp> = {
  kind: 'miniapp',
  path: 'miniapps',
  Dto: MiniappDto,
  read: (plain) => {
    const reading = readWholeDto(MiniappDto, plain);
    const { get_auth_token_url, webhook_url, events_bridge_url } = reading.dto;
    return { ...reading, settings: settingsOf(reading.dto), calledUrls: { get_auth_token_url, webhook_url, events_bridge_url } };
  },
  view: miniappView,
};

function settingsOf(facts: MiniappDto): MiniappSettings {
  return {
    ...defaultMiniappSettings,
    ...present({ name: facts.name, logo: facts.logo, url: facts.url, kind: facts.kind, whiteListedUrls: facts.white_listed_urls }),
    ...present({ takesProposals: facts.takes_proposals, analyticsSignature: facts.analytics_signature }),
    ...present({ longDescription: facts.long_description, category: facts.category }),
    requiredUserFields: [...new Set(facts.required_user_fields)],
    endpoints: present({
      getAuthToken: facts.get_auth_token_url,
      webhook: facts.webhook_url,
      eventsBridge: facts.events_bridge_url,
    }),
    ipWhitelist: ipWhitelist(facts.ip_whitelist),
    features: featureSwitches(facts.features),
    signature: signatureSettings(facts.signature),
  };
}

/** A miniapp as it is shown. */
function miniappView(miniapp: Miniapp): PlainObject {
  const { id, version, settings, credentials } = miniapp;
  return {
    ...present({
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
    ip_whitelist: ipWhitelistView(settings.ipWhitelist),
    features: { ...settings.features },
    takes_proposals: settings.takesProposals,
    signature: signatureView(settings.signature, credentials),
    analytics_signature: settings.analyticsSignature,
    ...viewEnd(miniapp, miniappWarnings(miniapp)),
  };
}
