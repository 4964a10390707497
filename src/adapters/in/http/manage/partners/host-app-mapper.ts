import { defaultHostAppSettings, type HostApp, type HostAppEndpoints, type HostAppSettings } from '../../../../../domain/partners/host-app';
import { hostAppWarnings } from '../../../../../domain/partners/setting-warnings';
import { HostAppDto } from './host-app.dto';
import type { PlainObject } from '../http/merge-patch';
import { featureSwitches, ipWhitelist, ipWhitelistView } from './partner-parts.dto';
import { type PartnerMapper, viewEnd } from './partner-mapper';
import { present } from '../http/present';
import { readWholeDto } from '../../../../dto/read-dto';
import { signatureSettings, signatureView } from '../credentials/signature-mapper';

export const hostAppMapper: PartnerMapper<HostApp> = {
  kind: 'host-app',
  Dto: HostAppDto,
  read: (plain) => {
    const reading = readWholeDto(HostAppDto, plain);
    return { ...reading, settings: settingsOf(reading.dto), calledUrls: calledUrlsOf(reading.dto) };
  },
  view: hostAppView,
};

const calledUrlsOf = (input: HostAppDto) => ({
  access_token_url: input.access_token_url,
  refresh_token_url: input.refresh_token_url,
  user_data_url: input.user_data_url,
  create_order_payment_url: input.create_order_payment_url,
  get_order_payment_status_url: input.get_order_payment_status_url,
  events_bridge_url: input.events_bridge_url,
  client_access_token_url: input.client_access_token_url,
});

function settingsOf(input: HostAppDto): HostAppSettings {
  return {
    ...defaultHostAppSettings,
    ...present({
      name: input.name,
      logo: input.logo,
      basicAuthValidation: input.basic_auth_validation,
      basicWithSignature: input.basic_with_signature,
      hostAppClientId: input.host_app_client_id,
      credentialScheme: input.credential_scheme,
      accessTokenPrefix: input.access_token_prefix,
      useAccessToken: input.use_access_token,
      clientAccessTokenScope: input.client_access_token_scope,
      consentInPopup: input.consent_in_popup,
      serverSideSignOn: input.server_side_sign_on,
      consentRequired: input.consent_required,
      publicRevoke: input.public_revoke,
      isConsentEnabled: input.is_consent_enabled,
      consentText: input.consent_text,
      colors: input.colors,
      payloadCipher: input.payload_cipher,
      reconcileMaxPerSecond: input.reconcile_max_per_second,
      takesProposals: input.takes_proposals,
      publicMiniappList: input.public_miniapp_list,
    }),
    consentLinks: (input.consent_links ?? []).map(({ title, url }) => ({ title, url })),
    endpoints: endpointsOf(input),
    ipWhitelist: ipWhitelist(input.ip_whitelist),
    features: featureSwitches(input.features),
    signature: signatureSettings(input.signature),
  };
}

const endpointsOf = (input: HostAppDto): HostAppEndpoints =>
  present({
    accessToken: input.access_token_url,
    refreshToken: input.refresh_token_url,
    userData: input.user_data_url,
    createOrderPayment: input.create_order_payment_url,
    getOrderPaymentStatus: input.get_order_payment_status_url,
    eventsBridge: input.events_bridge_url,
    clientAccessToken: input.client_access_token_url,
  });

const endpointsView = (endpoints: HostAppEndpoints): PlainObject =>
  present({
    access_token_url: endpoints.accessToken,
    refresh_token_url: endpoints.refreshToken,
    user_data_url: endpoints.userData,
    create_order_payment_url: endpoints.createOrderPayment,
    get_order_payment_status_url: endpoints.getOrderPaymentStatus,
    events_bridge_url: endpoints.eventsBridge,
    client_access_token_url: endpoints.clientAccessToken,
  });

/** A host app in the form of the API. `Object.assign`, because an object with spreads before members costs ten times as much. */
function hostAppView(hostApp: HostApp): PlainObject {
  const { id, version, settings, credentials } = hostApp;
  return Object.assign(
    present({
      client_id: id,
      version,
      name: settings.name,
      logo: settings.logo,
      basic_auth_validation: settings.basicAuthValidation,
      basic_with_signature: settings.basicWithSignature,
      host_app_client_id: settings.hostAppClientId,
      credential_scheme: settings.credentialScheme,
      access_token_prefix: settings.accessTokenPrefix,
      use_access_token: settings.useAccessToken,
      client_access_token_scope: settings.clientAccessTokenScope,
      consent_in_popup: settings.consentInPopup,
      server_side_sign_on: settings.serverSideSignOn,
      consent_required: settings.consentRequired,
      public_revoke: settings.publicRevoke,
      is_consent_enabled: settings.isConsentEnabled,
      consent_text: settings.consentText,
      reconcile_max_per_second: settings.reconcileMaxPerSecond,
    }),
    endpointsView(settings.endpoints),
    {
      colors: { ...settings.colors },
      consent_links: settings.consentLinks.map(({ title, url }) => ({ title, url })),
      payload_cipher: settings.payloadCipher,
      ip_whitelist: ipWhitelistView(settings.ipWhitelist),
      features: { ...settings.features },
      takes_proposals: settings.takesProposals,
      public_miniapp_list: settings.publicMiniappList,
      signature: signatureView(settings.signature, credentials),
    },
    viewEnd(hostApp, hostAppWarnings(hostApp)),
  );
}
