import { defaultHostAppSettings, type HostApp, type HostAppEndpoints, type HostAppSettings } from '../../../../domain/partners/host-app';
import { hostAppWarnings } from '../../../../domain/partners/setting-warnings';
import { HostAppDto } from './host-app.dto';
import type { PlainObject } from './merge-patch';
import { featureSwitches, ipWhitelist, ipWhitelistView } from './partner-parts.dto';
import { type PartnerWire, viewEnd } from './partner-wire';
import { present } from './present';
import { readWholeDto } from '../../../dto/read-dto';
import { signatureSettings, signatureView } from './signature-wire';

export const hostAppWire: PartnerWire<HostApp> = {
  kind: 'host-app',
  path: 'host-apps',
  Dto: HostAppDto,
  read: (plain) => {
    const reading = readWholeDto(HostAppDto, plain);
    return { ...reading, settings: settingsOf(reading.dto), calledUrls: calledUrlsOf(reading.dto) };
  },
  view: hostAppView,
};

const calledUrlsOf = (facts: HostAppDto) => ({
  access_token_url: facts.access_token_url,
  refresh_token_url: facts.refresh_token_url,
  user_data_url: facts.user_data_url,
  create_order_payment_url: facts.create_order_payment_url,
  get_order_payment_status_url: facts.get_order_payment_status_url,
  events_bridge_url: facts.events_bridge_url,
  client_access_token_url: facts.client_access_token_url,
});

function settingsOf(facts: HostAppDto): HostAppSettings {
  return {
    ...defaultHostAppSettings,
    ...present({
      name: facts.name,
      logo: facts.logo,
      basicAuthValidation: facts.basic_auth_validation,
      basicWithSignature: facts.basic_with_signature,
      hostAppClientId: facts.host_app_client_id,
      credentialScheme: facts.credential_scheme,
      accessTokenPrefix: facts.access_token_prefix,
      useAccessToken: facts.use_access_token,
      clientAccessTokenScope: facts.client_access_token_scope,
      consentInPopup: facts.consent_in_popup,
      serverSideSignOn: facts.server_side_sign_on,
      consentRequired: facts.consent_required,
      publicRevoke: facts.public_revoke,
      isConsentEnabled: facts.is_consent_enabled,
      consentText: facts.consent_text,
      colors: facts.colors,
      payloadCipher: facts.payload_cipher,
      reconcileMaxPerSecond: facts.reconcile_max_per_second,
      takesProposals: facts.takes_proposals,
      publicMiniappList: facts.public_miniapp_list,
    }),
    consentLinks: (facts.consent_links ?? []).map(({ title, url }) => ({ title, url })),
    endpoints: endpointsOf(facts),
    ipWhitelist: ipWhitelist(facts.ip_whitelist),
    features: featureSwitches(facts.features),
    signature: signatureSettings(facts.signature),
  };
}

const endpointsOf = (facts: HostAppDto): HostAppEndpoints =>
  present({
    accessToken: facts.access_token_url,
    refreshToken: facts.refresh_token_url,
    userData: facts.user_data_url,
    createOrderPayment: facts.create_order_payment_url,
    getOrderPaymentStatus: facts.get_order_payment_status_url,
    eventsBridge: facts.events_bridge_url,
    clientAccessToken: facts.client_access_token_url,
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

/** A host app as it is shown. */
function hostAppView(hostApp: HostApp): PlainObject {
  const { id, version, settings, credentials } = hostApp;
  return {
    ...present({
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
    ...endpointsView(settings.endpoints),
    colors: { ...settings.colors },
    consent_links: settings.consentLinks.map(({ title, url }) => ({ title, url })),
    payload_cipher: settings.payloadCipher,
    ip_whitelist: ipWhitelistView(settings.ipWhitelist),
    features: { ...settings.features },
    takes_proposals: settings.takesProposals,
    public_miniapp_list: settings.publicMiniappList,
    signature: signatureView(settings.signature, credentials),
    ...viewEnd(hostApp, hostAppWarnings(hostApp)),
  };
}
