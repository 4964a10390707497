import type { Feature } from '../partners/features';
import type { HostApp } from '../partners/host-app';
import type { Miniapp } from '../partners/miniapp';
import type { PartnerKind } from '../partners/registry-errors';

/** A URL that the service calls; `endpoint` is the name of its setting, as on the wire. */
export interface NeededUrl {
  readonly partnerKind: PartnerKind;
  readonly partnerId: string;
  readonly endpoint: string;
  readonly url: string | undefined;
  /** Without it a feature that is on does not work. */
  readonly isNeeded: boolean;
}

/** Every URL of both partners that is set, or that a feature needs that is on. */
export function neededUrls(
  { hostApp, miniapp }: { readonly hostApp: HostApp; readonly miniapp: Miniapp },
  on: (feature: Feature) => boolean,
): readonly NeededUrl[] {
  const { endpoints: host } = hostApp.settings;
  const { endpoints: mini } = miniapp.settings;
  const ofHost = (endpoint: string, url: string | undefined, isNeeded: boolean): NeededUrl => ({
    ...{ partnerKind: 'host-app', partnerId: hostApp.id, endpoint, url, isNeeded },
  });
  const ofMini = (endpoint: string, url: string | undefined, isNeeded: boolean): NeededUrl => ({
    ...{ partnerKind: 'miniapp', partnerId: miniapp.id, endpoint, url, isNeeded },
  });
  // A host app that signs its users on by itself needs no URL for it.
  const byCode = on('sso') && (host.accessToken !== undefined || host.userData !== undefined);
  const all = [
    ofHost('access_token_url', host.accessToken, byCode),
    ofHost('user_data_url', host.userData, byCode),
    ofHost('refresh_token_url', host.refreshToken, false),
    ofHost('client_access_token_url', host.clientAccessToken, false),
    ofHost('create_order_payment_url', host.createOrderPayment, on('payments')),
    ofHost('get_order_payment_status_url', host.getOrderPaymentStatus, on('payments')),
    ofHost('events_bridge_url', host.eventsBridge, false),
    ofMini('get_auth_token_url', mini.getAuthToken, on('sso')),
    ofMini('webhook_url', mini.webhook, on('payments')),
    ofMini('events_bridge_url', mini.eventsBridge, false),
  ];
  return all.filter(({ url, isNeeded }) => url !== undefined || isNeeded);
}
