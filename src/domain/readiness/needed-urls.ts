import type { Feature } from '../partners/features';
import type { HostApp } from '../partners/host-app';
import type { Miniapp } from '../partners/miniapp';
import type { PartnerKind } from '../partners/registry-errors';

/** A URL that the service calls; `endpoint` is the wire name of its setting. */
export interface NeededUrl {
  readonly partnerKind: PartnerKind;
  readonly partnerId: string;
  readonly endpoint: string;
  readonly url: string | undefined;
  /** Whether an enabled feature does not work without it. */
  readonly isNeeded: boolean;
}

/** URLs of both partners that are set, or that an enabled feature needs. */
export function neededUrls(
  { hostApp, miniapp }: { readonly hostApp: HostApp; readonly miniapp: Miniapp },
  on: (feature: Feature) => boolean,
): readonly NeededUrl[] {
  const { endpoints: host } = hostApp.settings;
  const { endpoints: mini } = miniapp.settings;
  const ofHost = (endpoint: string, url: string | undefined, isNeeded: boolean): NeededUrl => ({
    partnerKind: 'host-app',
    partnerId: hostApp.id,
    endpoint,
    url,
    isNeeded,
  });
  const ofMini = (endpoint: string, url: string | undefined, isNeeded: boolean): NeededUrl => ({
    partnerKind: 'miniapp',
    partnerId: miniapp.id,
    endpoint,
    url,
    isNeeded,
  });
  // A host app that calls connect for its users needs no URL for sign-on.
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
