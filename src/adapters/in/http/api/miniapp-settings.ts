import { JsonObject } from '../../../../domain/shared/json';
import { Optional, Text } from '../../../dto/decorators';
import type { Action } from './api-route';

export class MiniappSettingsDto {
  /** The host page's SDK sends it; the settings are the same for every screen type. */
  @Optional('Accepted because SDKs send it; the answer is the same with and without it.') @Text({ max: 16 }) is_desktop?: string;
}

/** GET miniapps/{app_id}/settings: what the host page's SDK needs to open the miniapp. It contains no secrets. */
export const miniappSettings: Action<MiniappSettingsDto> = async ({ integration: { hostApp, miniapp } }) => {
  const { settings: host } = hostApp;
  const { settings: mini } = miniapp;
  return JsonObject.of({
    app_id: miniapp.id,
    miniapp: JsonObject.of({
      app_id: miniapp.id,
      name: mini.name,
      url: mini.url ?? null,
      logo: mini.logo ?? null,
      required_fields: mini.requiredUserFields,
      white_listed_urls: mini.whiteListedUrls,
    }),
    hostapp: JsonObject.of({
      name: host.name,
      logo: host.logo ?? null,
      is_consent_enabled: host.isConsentEnabled,
      consent_text: host.consentText ?? null,
      consent_links: host.consentLinks.map(({ title, url }) => JsonObject.of({ title, url })),
      consent_in_popup: host.consentInPopup,
      server_side_sign_on: host.serverSideSignOn,
    }),
    colors: JsonObject.of(host.colors),
  });
};
